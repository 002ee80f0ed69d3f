import { describe, expect, it } from 'vitest'
import { taxFor } from './tax-for.ts'

const on = new Date('2027-01-01T00:00:00Z')

describe('test mode', () => {
  const rules = taxFor({ testmode: true })

  it('in test mode, the country and the tax ID decide the rates', () => {
    const sale = { buyerCountry: 'DE', sellerCountry: 'NL', on }
    expect(rules.decide({ ...sale, taxId: null })).toEqual({
      reason: 'standard',
      rates: [{ name: 'VAT', percentage: '19' }],
    })
    expect(rules.decide({ ...sale, taxId: 'DE1' }).reason).toBe('reverse_charge')
  })

  it.each([
    [null, 'none', 'none'],
    ['DE1', 'accepted', 'reverse_charge'],
    ['FR1', 'not_accepted', 'not_confirmed'],
  ] as const)(
    'in test mode, the tax ID %s of a German buyer is %s and has the effect %s',
    (taxId, standing, effect) => {
      expect(rules.taxIdValidity(taxId, 'DE')).toBe(standing)
      expect(rules.taxIdEffect({ buyerCountry: 'DE', sellerCountry: 'NL', taxId })).toBe(effect)
    },
  )
})

it('live mode charges no tax outside the EU without a registration', () => {
  const sale = { buyerCountry: 'US', sellerCountry: 'NL', taxId: null, on }
  expect(taxFor({ testmode: false }).decide(sale).reason).toBe('outside_scope')
  expect(taxFor({ testmode: true }).decide(sale).reason).toBe('standard')
})
