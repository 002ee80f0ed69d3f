import { describe, expect, test } from 'vitest'
import { taxIdEffectInTestMode, taxIdInTestMode, taxInTestMode } from './test-mode-tax.ts'

const on = new Date('2026-11-20T12:00:00Z')
const reverseCharge = { reason: 'reverse_charge', rates: [{ name: 'Reverse charge', percentage: '0' }] }
const standard = (...rates: [name: string, percentage: string][]) => ({
  reason: 'standard',
  rates: rates.map(([name, percentage]) => ({ name, percentage })),
})

describe('tax ID', () => {
  test.each([
    ['DE123456789', 'DE', 'accepted'],
    ['de123456789', 'DE', 'not_accepted'],
    ['DE', 'DE', 'accepted'],
    ['ATU1', 'DE', 'not_accepted'],
    ['GR1', 'GR', 'accepted'],
    ['EL1', 'GR', 'not_accepted'],
    ['US1', 'US', 'accepted'],
    [' DE1', 'DE', 'accepted'],
    ['\u200eDE\u20131', 'DE', 'accepted'],
    ['\u200e de1', 'DE', 'not_accepted'],
    ['\u200b', 'DE', 'none'],
    ['1DE', 'DE', 'not_accepted'],
    ['D', 'DE', 'not_accepted'],
    ['NL1', 'NL', 'accepted'],
    ['', 'DE', 'none'],
    [null, 'DE', 'none'],
    ['DE1', '', 'not_accepted'],
  ] as const)('in test mode, the tax ID %j of a buyer in %s is %s', (taxId, buyerCountry, standing) => {
    expect(taxIdInTestMode(taxId, buyerCountry)).toBe(standing)
  })
})

describe('effect of a tax ID', () => {
  test.each([
    ['DE', 'NL', 'DE1', 'reverse_charge'],
    ['US', 'NL', 'US1', 'reverse_charge'],
    ['NL', 'NL', 'NL1', 'domestic'],
    ['DE', 'DE', 'DE1', 'domestic'],
    ['NL', 'NL', 'DE1', 'not_confirmed'],
    ['GR', 'NL', 'EL1', 'not_confirmed'],
    ['', 'NL', 'NL1', 'not_confirmed'],
    ['NL', 'NL', '', 'none'],
    ['DE', 'NL', null, 'none'],
  ] as const)(
    'in test mode, with a buyer in %s and a seller in %s, the effect of the tax ID %j is %s',
    (buyerCountry, sellerCountry, taxId, effect) => {
      expect(taxIdEffectInTestMode({ buyerCountry, sellerCountry, taxId })).toBe(effect)
      const { reason } = taxInTestMode({ buyerCountry, sellerCountry, taxId, on })
      expect(reason === 'reverse_charge').toBe(effect === 'reverse_charge')
    },
  )
})

describe('rates', () => {
  test.each([
    ['DE', 'NL', null, standard(['VAT', '19'])],
    ['DE', 'NL', '', standard(['VAT', '19'])],
    ['DE', 'NL', 'DE1', reverseCharge],
    ['DE', 'NL', 'ATU1', standard(['VAT', '19'])],
    ['GR', 'NL', 'EL1', standard(['VAT', '24'])],
    ['NL', 'NL', 'NL1', standard(['VAT', '21'])],
    ['DE', 'DE', 'DE1', standard(['VAT', '19'])],
    ['NL', 'DE', 'NL1', reverseCharge],
    ['FI', 'NL', null, standard(['VAT', '25.5'])],
    ['CA', 'NL', null, standard(['GST', '5'], ['QST', '9.975'])],
    ['CA', 'NL', 'CA1', reverseCharge],
    ['CA', 'NL', 'QC1', standard(['GST', '5'], ['QST', '9.975'])],
    ['US', 'NL', null, standard(['VAT', '20'])],
    ['US', 'NL', 'US1', reverseCharge],
    ['AU', 'NL', null, standard(['VAT', '20'])],
    ['JP', 'NL', null, standard(['VAT', '20'])],
  ])(
    'in test mode, a buyer in %s with a seller in %s and the tax ID $2 is taxed as $3.reason',
    (buyerCountry, sellerCountry, taxId, decision) => {
      expect(taxInTestMode({ buyerCountry, sellerCountry, taxId, on })).toEqual(decision)
    },
  )

  test('in test mode, the rate on the day of the sale applies', () => {
    const sale = { buyerCountry: 'EE', sellerCountry: 'NL', taxId: null }
    expect(taxInTestMode({ ...sale, on: new Date('2025-06-30T23:59:59Z') })).toEqual(standard(['VAT', '22']))
    expect(taxInTestMode({ ...sale, on: new Date('2025-07-01T00:00:00Z') })).toEqual(standard(['VAT', '24']))
  })
})
