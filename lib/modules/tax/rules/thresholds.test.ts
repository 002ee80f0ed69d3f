import { describe, expect, it } from 'vitest'
import { isCountry } from '../../../kernel/countries.ts'
import type { Registration } from './registration.ts'
import type { TaxDocument } from './returns.ts'
import { percentOf, type Threshold, thresholds, thresholdsOf } from './thresholds.ts'

const document = (given: Partial<TaxDocument> & { rate?: string; name?: string } = {}): TaxDocument => {
  const { rate = '19', name = 'VAT', ...rest } = given
  return {
    ...{ day: '2026-11-23', soldOn: null, sellerCountry: 'NL', buyerCountry: 'DE', postalCode: null, taxId: null },
    ...{ currency: 'EUR', exchangeRate: null, subtotal: 10_000n },
    taxes: [{ rate: { name, percentage: rate }, amount: 1900n }],
    ...rest,
  }
}
const outside = (buyerCountry: string, subtotal: bigint) =>
  document({ buyerCountry, subtotal, rate: '0', name: 'Outside scope' })
const reverseCharged = (subtotal: bigint) => document({ subtotal, rate: '0', name: 'Reverse charge' })

const german: Registration = {
  ...{ id: 'registration_1', country: 'DE', region: '', number: '1', scheme: 'local', from: '2026-11-01' },
  until: '2026-11-30',
}

const shown = (documents: TaxDocument[], registrations: Registration[] = []) =>
  thresholdsOf(documents, registrations).map(({ country, sold, counted, threshold }) => [
    ...[country, sold, counted, threshold && `${threshold.amount} ${threshold.currency}`],
  ])

describe('the thresholds', () => {
  it('count what consumers in other member states bought together, and each country outside the EU alone', () => {
    const rows = shown(
      [
        document({ subtotal: 900_000n }),
        document({ subtotal: 60_000n, buyerCountry: 'FR' }),
        // Declared to Germany itself: a sale in another member state all the same.
        document({ subtotal: 50_000n, day: '2026-11-15' }),
        document({ subtotal: 10_000n, soldOn: '2026-10-01' }),
        { ...outside('US', 15_000n), currency: 'USD', exchangeRate: '1.5' },
        document({ subtotal: 4_000n, buyerCountry: 'GB', rate: '20' }),
        outside('NO', 3_000n),
        document({ subtotal: 70_000n, buyerCountry: 'NL' }),
        reverseCharged(80_000n),
      ],
      [german],
    )
    expect(rows).toEqual([
      ['EU', 1_000_000n, 1_000_000n, '1000000 EUR'],
      ['GB', 4_000n, 4_000n, '0 GBP'],
      ['NO', 3_000n, 3_000n, '5000000 NOK'],
      ['US', 10_000n, 10_000n, null],
    ])
  })

  it('of Switzerland counts what is sold anywhere, also at home and to companies', () => {
    const documents = [
      outside('CH', 1_000n),
      document({ subtotal: 20_000n }),
      document({ subtotal: 300_000n, buyerCountry: 'NL' }),
      reverseCharged(4_000_000n),
      document({ subtotal: 5_000n, soldOn: '2026-10-01' }),
    ]
    expect(shown(documents)).toEqual([
      ['CH', 1_000n, 4_316_000n, '10000000 CHF'],
      ['EU', 15_000n, 15_000n, '1000000 EUR'],
    ])
  })

  it('are of a country once, each with the law that sets it', () => {
    expect(new Set(thresholds.map(({ country }) => country)).size).toBe(thresholds.length)
    for (const { country, law, since, amount } of thresholds) {
      expect(country === 'EU' || isCountry(country), country).toBe(true)
      expect(law, country).toMatch(/art\.|§|s\.|schedule/)
      expect(since, country).toMatch(/^20\d\d-\d\d-\d\d$/)
      expect(amount >= 0n, country).toBe(true)
    }
  })

  it.each([
    [1_000_000n, 250_000n, '1', 25n],
    [1_000_000n, 0n, '1', 0n],
    [1_000_000n, -5_000n, '1', 0n],
    [5_000_000n, 212_765n, '11.75', 49n],
    [5_000_000n, 425_532n, '11.75', 100n],
    [0n, 1n, '0.865', 100n],
    [0n, 0n, '0.865', 0n],
    [0n, -1n, '0.865', 0n],
  ])('of %s are used by %s at the rate %s: %s percent', (amount, counted, rate, percent) => {
    expect(percentOf({ amount } as Threshold, counted, rate)).toBe(percent)
  })
})
