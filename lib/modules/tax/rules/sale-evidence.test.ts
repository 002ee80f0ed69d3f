import { describe, expect, it } from 'vitest'
import { contradictingCountry, countryProofOf, evidenceOf } from './sale-evidence.ts'

const createdAt = new Date('2026-11-23T12:00:00Z')

describe('declared country', () => {
  it.each([
    // The columns are declared country, connection country, bank country, confirmed, expected proof, and contradicting country.
    ['BE', null, null, false, 'alone', null],
    ['BE', 'BE', null, false, 'agreed', null],
    ['BE', null, 'BE', false, 'agreed', null],
    ['BE', 'NL', 'BE', false, 'agreed', null],
    ['BE', 'BE', 'NL', false, 'agreed', null],
    ['BE', 'NL', null, false, 'contradicted', 'NL'],
    ['BE', 'NL', null, true, 'confirmed', 'NL'],
    ['BE', null, 'NL', true, 'confirmed', 'NL'],
    ['BE', 'NL', 'FR', true, 'confirmed', 'NL'],
    ['BE', 'NL', 'NL', true, 'contradicted', 'NL'],
    ['MC', 'FR', null, false, 'agreed', null],
    ['FR', 'RE', null, false, 'agreed', null],
    ['FI', 'AX', null, false, 'agreed', null],
    ['IM', 'GB', null, false, 'agreed', null],
    ['IM', 'JE', null, false, 'agreed', null],
    ['GB', 'IE', null, false, 'contradicted', 'IE'],
  ] as const)(
    'a declared country %s with connection country %s and bank country %s (confirmed by the buyer: %s) has the evidence status %s',
    (declaredCountry, ipCountry, paymentCountry, isConfirmed, standing, by) => {
      const countryConfirmedAt = isConfirmed ? createdAt : null
      const evidence = { declaredCountry, ipCountry, paymentCountry, countryConfirmedAt }
      expect(countryProofOf(evidence)).toBe(standing)
      expect(contradictingCountry(evidence)).toBe(by)
    },
  )
})

describe('sale evidence', () => {
  const known = { taxReason: 'standard', createdAt } as const
  const nothing = {
    orderId: 'order_1',
    postalCode: null,
    ipCountry: null,
    paymentCountry: null,
    countryConfirmedAt: null,
    taxId: null,
    taxIdCheckId: null,
    exchangeRateOn: null,
  }
  const facts = { checkIds: { EL123456789: 'tax_id_check_1' } }

  it.each([
    [{ country: 'DE', taxId: null }, { declaredCountry: 'DE' }],
    [
      { country: null, postalCode: '10117', taxId: null },
      { declaredCountry: '', postalCode: '10117' },
    ],
    [
      { country: 'GR', taxId: 'gr 123.456.789' },
      { declaredCountry: 'GR', taxId: 'EL123456789', taxIdCheckId: 'tax_id_check_1' },
    ],
    [
      { country: 'NL', taxId: 'NL000099998B57' },
      { declaredCountry: 'NL', taxId: 'NL000099998B57' },
    ],
  ])('for the form %j, the evidence of an order contains %j', (buyer, expected) => {
    expect(evidenceOf({ id: 'order_1' }, buyer, facts, known)).toEqual({ ...nothing, ...known, ...expected })
  })

  it('without tax ID checks, the evidence of an order still has the connection country and the day of the exchange rate', () => {
    const buyer = { country: 'GR', taxId: 'EL123456789' }
    expect(
      evidenceOf({ id: 'order_1' }, buyer, null, { ...known, ipCountry: 'GR', exchangeRateOn: '2026-11-20' }),
    ).toEqual({
      ...nothing,
      ...known,
      declaredCountry: 'GR',
      taxId: 'EL123456789',
      ipCountry: 'GR',
      exchangeRateOn: '2026-11-20',
    })
  })
})
