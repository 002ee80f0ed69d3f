import { describe, expect, it } from 'vitest'
import { builtInRates } from '../../orders/rules/exchange.ts'
import type { Checkout, CheckoutLine } from './checkout.ts'
import {
  asksForMethod,
  currencyOf,
  pricesOf,
  quoteBeforeTax,
  quoteSale,
  taxIdEffectOf,
  trialEnd,
  unitPriceAt,
} from './quote.ts'

const now = new Date('2027-01-31T12:00:00Z')
const month = { interval: 'month', intervalCount: 1 } as const
const line = (differences: Partial<CheckoutLine> = {}) =>
  ({ id: 'a', unitPrice: 1_000n, quantity: 1, billingInterval: null, trialDays: null, ...differences }) as CheckoutLine
const checkout = (lines: CheckoutLine[], taxBehavior: Checkout['taxBehavior'] = 'exclusive') =>
  ({ lines, taxBehavior, testmode: true }) as unknown as Checkout
const buyer = (differences: object = {}) => ({
  country: 'DE',
  taxId: null,
  currency: '',
  sellerCountry: 'NL',
  ...differences,
})

describe('the total of a sale', () => {
  it('the tax of a sale is computed on the sum of its lines: 0.32 for three lines of 0.50 at 21 %', () => {
    const lines = ['a', 'b', 'c'].map((id) => line({ id, unitPrice: 50n }))
    const { due } = quoteSale(checkout(lines), buyer({ country: 'NL' }), now)
    expect(due).toMatchObject({ subtotal: 150n, total: 182n })
    expect(due.lines.map((each) => each.total)).toEqual([61n, 61n, 60n])
  })

  it('a sale has no tax under a reverse charge, and standard tax if the tax ID is not from the buyer’s country', () => {
    const sold = checkout([line()])
    expect(quoteSale(sold, buyer({ taxId: 'DE123' }), now)).toMatchObject({
      due: { total: 1_000n },
      tax: { reason: 'reverse_charge' },
    })
    expect(quoteSale(sold, buyer({ taxId: 'NL123' }), now)).toMatchObject({
      due: { total: 1_190n },
      tax: { reason: 'standard' },
    })
    expect(quoteSale(sold, buyer({ country: 'NL', taxId: 'NL123' }), now)).toMatchObject({ due: { total: 1_210n } })
  })

  it('the gross total of a sale with tax-inclusive prices is the sum of the catalog prices', () => {
    const { due } = quoteSale(
      checkout([line({ unitPrice: 999n, quantity: 3 })], 'inclusive'),
      buyer({ country: 'NL' }),
      now,
    )
    expect(due).toMatchObject({ total: 2_997n, subtotal: 2_477n, lines: [{ basePrice: '8.257' }] })
  })

  it('an item in a trial is not due today, and a sale of only trials has one line of 0.00, which verifies the payment method', () => {
    const trial = line({ id: 'trial', billingInterval: month, trialDays: 14 })
    expect(quoteSale(checkout([line(), trial]), buyer(), now).due.lines.map(({ source }) => source?.id)).toEqual(['a'])
    const verified = quoteSale(checkout([trial]), buyer(), now)
    expect(verified.due).toMatchObject({ total: 0n, subtotal: 0n, taxSummary: [{ amount: 0n }] })
    expect(verified.due.lines).toMatchObject([{ source: null, quantity: 1 }])
  })
})

describe('the total of a sale while no country is chosen', () => {
  it('before a country is chosen, the total is the catalog price, today and at each renewal', () => {
    const lines = [line({ quantity: 2 }), line({ id: 'plan', billingInterval: month })]
    for (const behavior of ['exclusive', 'inclusive'] as const) {
      const { due, renewals, currency } = quoteBeforeTax(checkout(lines, behavior), now)
      expect({ currency, due, renewals }).toMatchObject({
        currency: 'EUR',
        due: { subtotal: 3_000n, total: 3_000n },
        renewals: [{ total: 1_000n, nextChargeAt: new Date('2027-02-28T12:00:00Z') }],
      })
    }
  })
})

it('pricesOf() returns today’s amount and the price of each renewal', () => {
  const lines = [
    line({ quantity: 2 }),
    line({ id: 'plan', billingInterval: month }),
    line({ id: 'later', billingInterval: month, trialDays: 14 }),
  ]
  expect(pricesOf(quoteBeforeTax(checkout(lines), now))).toBe('30.00 EUR, 10.00 EUR, 10.00 EUR')
})

describe('the request for a payment method', () => {
  const free = { unitPrice: 0n }
  it.each([
    ['a line is due today', true, [line()]],
    ['the only line is free', false, [line(free)]],
    ['one of two lines is free', true, [line(free), line()]],
    ['a trial of a paid plan ends later', true, [line({ billingInterval: month, trialDays: 14 })]],
    ['a plan is free', false, [line({ ...free, billingInterval: month })]],
    ['a trial of a free plan ends later', false, [line({ ...free, billingInterval: month, trialDays: 14 })]],
  ] as const)('if %s, the sale needs a payment method: %s', (_, expected, lines) => {
    for (const country of ['DE', 'US', 'CA', ''])
      for (const behavior of ['exclusive', 'inclusive'] as const)
        expect(asksForMethod(quoteSale(checkout([...lines], behavior), buyer({ country }), now))).toBe(expected)
  })
})

describe('the renewals that the buyer agrees to', () => {
  it('the first renewal of a monthly plan includes tax, and is due after one month or at the end of the trial', () => {
    const lines = [
      line({ id: 'now', billingInterval: month, quantity: 2 }),
      line({ id: 'later', billingInterval: month, trialDays: 14 }),
      line(),
    ]
    expect(quoteSale(checkout(lines), buyer(), now).renewals).toMatchObject([
      { line: { id: 'now' }, total: 2_380n, trialUntil: null, nextChargeAt: new Date('2027-02-28T12:00:00Z') },
      {
        line: { id: 'later' },
        total: 1_190n,
        trialUntil: new Date('2027-02-14T12:00:00Z'),
        nextChargeAt: new Date('2027-02-14T12:00:00Z'),
      },
    ])
  })

  it('trial days are counted from the time of the sale, and only plans have a trial', () => {
    expect(trialEnd(line({ billingInterval: month, trialDays: 730 }), now)).toEqual(new Date('2029-01-30T12:00:00Z'))
    expect(trialEnd(line({ trialDays: 14 }), now)).toBeNull()
  })
})

it.each([
  ['DE', 'DE1', 'reverse_charge'],
  ['NL', 'NL1', 'domestic'],
  ['NL', 'DE1', 'not_confirmed'],
  ['NL', null, 'none'],
])('for a buyer in %s, the tax ID %j has the effect %s', (country, taxId, effect) => {
  expect(taxIdEffectOf({ testmode: true }, buyer({ country, taxId }))).toBe(effect)
})

describe('the currency of a sale', () => {
  it.each([
    ['US', 'USD', 'USD'],
    ['US', '', 'EUR'],
    ['US', 'GBP', 'EUR'],
    ['GB', 'GBP', 'GBP'],
    ['CH', 'CHF', 'CHF'],
    ['SE', 'SEK', 'SEK'],
    ['NO', 'NOK', 'NOK'],
    ['DK', 'DKK', 'DKK'],
    ['PL', 'PLN', 'PLN'],
    ['CA', 'CAD', 'CAD'],
    ['CZ', 'CZK', 'EUR'],
    ['GB', '', 'EUR'],
    ['DE', 'USD', 'EUR'],
  ])('a buyer in %s who asks for the currency %j pays in %s', (country, currency, expected) => {
    expect(currencyOf({ country, currency })).toBe(expected)
  })

  it('a converted price is rounded half up per unit before it is multiplied by the quantity', () => {
    const odd = line({ unitPrice: 333n, quantity: 3, billingInterval: month })
    expect(unitPriceAt(odd, builtInRates.USD)).toBe(361n)
    expect(unitPriceAt(odd, null)).toBe(333n)
    const { due, currency } = quoteSale(checkout([odd]), buyer({ country: 'US', currency: 'USD' }), now)
    expect({ currency, subtotal: due.subtotal }).toEqual({ currency: 'USD', subtotal: 1_083n })
    // Exactly half a cent: 1.00 EUR at 1.0850 is 1.085 USD.
    const half = line({ unitPrice: 100n, quantity: 3 })
    expect(builtInRates.USD).toMatchObject({ rate: '1.0850' })
    expect(unitPriceAt(half, builtInRates.USD)).toBe(109n)
    expect(quoteSale(checkout([half]), buyer({ country: 'US', currency: 'USD' }), now).due.subtotal).toBe(327n)
  })
})
