import { describe, expect, it } from 'vitest'
import { contradictionOf, countryProofOf, evidenceOf, isStillSilent, nextQuestion } from './evidence.ts'

const begunAt = new Date('2026-11-23T12:00:00Z')
const after = (minutes: number) => new Date(begunAt.getTime() + minutes * 60_000)

it.each([
  [0, 5],
  [4, 5],
  [5, 10],
  [10, 20],
  [20, 40],
  [40, 80],
  [80, 140],
  [140, 200],
  [199, 200],
  [24 * 60, 24 * 60 + 20],
])(
  '%s minutes after the first check of a tax ID, the next check is due %s minutes after the first check',
  (elapsed, next) => {
    expect(nextQuestion(begunAt, after(elapsed))).toEqual(after(next))
  },
)

it('the checks of a tax ID end after 30 days', () => {
  expect(nextQuestion(begunAt, after(30 * 24 * 60 - 1))).not.toBeNull()
  expect(nextQuestion(begunAt, after(30 * 24 * 60))).toBeNull()
})

it.each([
  ['MS_UNAVAILABLE', 10, 0],
  ['VAT_BLOCKED', 24 * 60 + 5, 24 * 60],
  ['IP_BLOCKED', 24 * 60 + 5, 24 * 60],
  ['INVALID_INPUT', null, Number.POSITIVE_INFINITY],
])(
  'after the registry error %s, the next check is due %s minutes after the first check, and forms start no check for %s minutes',
  (error, next, lasts) => {
    expect(nextQuestion(begunAt, after(5), error)).toEqual(next === null ? null : after(next))
    const check = { result: 'unknown', error, checkedAt: begunAt } as const
    expect([0, 24 * 60 - 1, 24 * 60, 365 * 24 * 60].map((minutes) => isStillSilent(check, after(minutes)))).toEqual(
      [0, 24 * 60 - 1, 24 * 60, 365 * 24 * 60].map((minutes) => minutes < lasts),
    )
  },
)

it('the checks of a tax ID end after 30 days, even if the registry blocks our address', () => {
  expect(nextQuestion(begunAt, after(30 * 24 * 60), 'IP_BLOCKED')).toBeNull()
})

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
      const countryConfirmedAt = isConfirmed ? begunAt : null
      const evidence = { declaredCountry, ipCountry, paymentCountry, countryConfirmedAt }
      expect(countryProofOf(evidence)).toBe(standing)
      expect(contradictionOf(evidence)).toBe(by)
    },
  )
})

describe('sale evidence', () => {
  const known = { taxReason: 'standard', createdAt: begunAt } as const
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
