import { describe, expect, it } from 'vitest'
import { taxIdEffectInLiveMode, taxIdExampleInLiveMode, taxIdInLiveMode, taxInLiveMode } from './live-mode.ts'

const on = new Date('2027-03-01T12:00:00Z')
const sale = (differences: object) => ({
  ...{ buyerCountry: 'DE', sellerCountry: 'NL', postalCode: null, taxId: null, isTaxIdAccepted: false, on },
  ...differences,
})
const decided = (differences: object) => {
  const { reason, rates } = taxInLiveMode(sale(differences))
  return [reason, rates.map(({ name, percentage }) => `${name} ${percentage}`).join(' + ')]
}

describe('a consumer’s sale in live mode', () => {
  it.each([
    ['DE', null, 'standard', 'VAT 19'],
    ['NL', null, 'standard', 'VAT 21'],
    ['HU', null, 'standard', 'VAT 27'],
    ['MC', null, 'standard', 'VAT 20'],
    ['PT', '1000-001', 'standard', 'VAT 23'],
    ['PT', '9000-039', 'standard', 'VAT 22'],
    ['PT', '9500-150', 'standard', 'VAT 16'],
    ['PT', '9499', 'standard', 'VAT 22'],
    ['ES', '28001', 'standard', 'VAT 21'],
    ['ES', '35001', 'outside_scope', 'VAT 0'],
    ['ES', '38 001', 'outside_scope', 'VAT 0'],
    ['ES', '51001', 'outside_scope', 'VAT 0'],
    ['ES', '52006', 'outside_scope', 'VAT 0'],
    ['ES', '50001', 'standard', 'VAT 21'],
    ['IT', '23041', 'outside_scope', 'VAT 0'],
    ['IT', '22061', 'outside_scope', 'VAT 0'],
    ['IT', '20121', 'standard', 'VAT 22'],
    ['DE', '78266', 'outside_scope', 'VAT 0'],
    ['DE', '27498', 'outside_scope', 'VAT 0'],
    ['FI', '22100', 'outside_scope', 'VAT 0'],
    ['FI', '00100', 'standard', 'VAT 25.5'],
    ['GR', '63086', 'outside_scope', 'VAT 0'],
    ['GR', '10431', 'standard', 'VAT 24'],
    ['FR', '97400', 'outside_scope', 'VAT 0'],
    ['FR', '75001', 'standard', 'VAT 20'],
    ['AX', null, 'outside_scope', 'VAT 0'],
    ['RE', null, 'outside_scope', 'VAT 0'],
    ['GB', null, 'outside_scope', 'VAT 0'],
    ['CH', null, 'outside_scope', 'VAT 0'],
    ['US', '90210', 'outside_scope', 'VAT 0'],
    ['CA', 'H2X 1Y4', 'outside_scope', 'VAT 0'],
  ])('in %s %j is %s: %s', (buyerCountry, postalCode, reason, rates) => {
    expect(decided({ buyerCountry, postalCode })).toEqual([reason, rates])
  })

  it('is taxed by the rate of its day', () => {
    expect(decided({ buyerCountry: 'EE', on: new Date('2025-06-30T23:59:59Z') })).toEqual(['standard', 'VAT 22'])
    expect(decided({ buyerCountry: 'EE', on: new Date('2025-07-01T00:00:00Z') })).toEqual(['standard', 'VAT 24'])
  })

  it('is taxed at home by a seller outside the EU, and not abroad', () => {
    expect(decided({ buyerCountry: 'CH', sellerCountry: 'CH' })).toEqual(['standard', 'VAT 8.1'])
    expect(decided({ buyerCountry: 'NO', sellerCountry: 'CH' })).toEqual(['outside_scope', 'VAT 0'])
    expect(decided({ buyerCountry: 'DE', sellerCountry: 'CH' })).toEqual(['standard', 'VAT 19'])
  })
})

describe('a company’s sale in live mode', () => {
  it.each([
    ['DE', 'DE136695976', true, 'reverse_charge', 'reverse_charge'],
    ['DE', 'DE136695976', false, 'not_confirmed', 'standard'],
    ['DE', 'DE136695978', true, 'not_confirmed', 'standard'],
    ['DE', 'ATU13585627', true, 'not_confirmed', 'standard'],
    ['DE', 'DE', true, 'not_confirmed', 'standard'],
    ['BE', 'be 0403.019.261', true, 'reverse_charge', 'reverse_charge'],
    ['GR', 'EL094259216', true, 'reverse_charge', 'reverse_charge'],
    ['GR', 'GR094259216', true, 'not_confirmed', 'standard'],
    ['MC', 'FR53000004605', true, 'reverse_charge', 'reverse_charge'],
    ['NL', 'NL004495445B01', true, 'domestic', 'standard'],
    ['CH', 'CHE107787577MWST', true, 'none', 'outside_scope'],
    ['US', 'US1', true, 'none', 'outside_scope'],
    ['DE', null, true, 'none', 'standard'],
  ])('in %s with %j (accepted: %s) has the effect %s', (buyerCountry, taxId, isTaxIdAccepted, effect, reason) => {
    const given = { buyerCountry, taxId, isTaxIdAccepted }
    expect(taxIdEffectInLiveMode(sale(given))).toBe(effect)
    expect(taxInLiveMode(sale(given)).reason).toBe(reason)
  })

  it('in the Canary Islands bears no tax anyway', () => {
    const canary = { buyerCountry: 'ES', postalCode: '35001', taxId: 'ES54362315K', isTaxIdAccepted: true }
    expect(taxIdEffectInLiveMode(sale(canary))).toBe('none')
  })
})

describe('a tax ID in live mode', () => {
  it('that is missing is none, and without a country nothing is accepted', () => {
    expect(taxIdInLiveMode(null, 'DE')).toBe('none')
    expect(taxIdInLiveMode('', 'DE')).toBe('none')
    expect(taxIdInLiveMode('DE136695976', '')).toBe('not_accepted')
  })

  it.each([
    ['GR', 'EL123456789'],
    ['MC', 'FR12345678901'],
    ['DE', 'DE123456789'],
  ])('of %s is written as %s', (country, example) => {
    expect(taxIdExampleInLiveMode(null, country)).toBe(example)
    expect(taxIdExampleInLiveMode(example, country)).toBeNull()
  })
})
