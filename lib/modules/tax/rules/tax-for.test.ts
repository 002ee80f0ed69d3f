import { describe, expect, it } from 'vitest'
import { taxFor } from './tax-for.ts'

const on = new Date('2027-01-01T00:00:00Z')

describe('the tax rules of test mode', () => {
  const rules = taxFor({ testmode: true })

  it('the rules of test mode decide the rates by country and tax ID', () => {
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
  ] as const)('the rules of test mode for the tax ID %s of a German buyer: %s, %s', (taxId, standing, effect) => {
    expect(rules.taxIdValidity(taxId, 'DE')).toBe(standing)
    expect(rules.taxIdEffect({ buyerCountry: 'DE', sellerCountry: 'NL', taxId })).toBe(effect)
  })
})

it('live mode taxes no sale outside the EU without a registration, unlike test mode', () => {
  const sale = { buyerCountry: 'US', sellerCountry: 'NL', taxId: null, on }
  expect(taxFor({ testmode: false }).decide(sale).reason).toBe('outside_scope')
  expect(taxFor({ testmode: true }).decide(sale).reason).toBe('standard')
})
