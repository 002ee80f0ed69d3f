import { describe, expect, it } from 'vitest'
import { isCountry } from '../../../kernel/countries.ts'
import {
  lawInEnglish,
  percentOf,
  type SalesSum,
  standingOf,
  type Threshold,
  thresholds,
  thresholdsOf,
} from './thresholds.ts'

const sales = (given: Partial<SalesSum> & { rate?: string; name?: string } = {}): SalesSum => {
  const { rate = '19', name = 'VAT', ...rest } = given
  return {
    isCredited: false,
    isConfirmed: false,
    sellerCountry: 'NL',
    buyerCountry: 'DE',
    postalCode: null,
    currency: 'EUR',
    exchangeRate: null,
    subtotal: 10_000n,
    taxes: [{ rate: { name, percentage: rate } }],
    ...rest,
  }
}
const outside = (buyerCountry: string, subtotal: bigint) =>
  sales({ buyerCountry, subtotal, rate: '0', name: 'Outside scope' })
const reverseCharged = (subtotal: bigint) => sales({ subtotal, rate: '0', name: 'Reverse charge' })

const shown = (sums: SalesSum[], seller = 'NL') =>
  thresholdsOf(sums, seller).map(({ country, sold, counted, threshold }) => [
    ...[country, sold, counted, threshold && `${threshold.amount} ${threshold.currency}`],
  ])

it('the law of a threshold names the VAT directive with its articles, or the national law', () => {
  expect(lawInEnglish({ vatDirective: ['59c(1)'] })).toBe('Directive 2006/112/EC, art. 59c(1)')
  expect(lawInEnglish({ vatDirective: ['58', '359'] })).toBe('Directive 2006/112/EC, art. 58 and 359')
  expect(lawInEnglish({ national: 'Excise Tax Act, s. 211.12' })).toBe('Excise Tax Act, s. 211.12')
})

describe('thresholds', () => {
  it('the EU threshold counts sales to all foreign member states, and national thresholds except the Swiss threshold count sales to one country', () => {
    const rows = shown([
      sales({ subtotal: 900_000n }),
      sales({ subtotal: 60_000n, buyerCountry: 'FR' }),
      sales({ subtotal: 50_000n, buyerCountry: 'MC', rate: '20' }),
      sales({ subtotal: 10_000n, isCredited: true }),
      { ...outside('US', 15_000n), currency: 'USD', exchangeRate: '1.5' },
      sales({ subtotal: 4_000n, buyerCountry: 'GB', rate: '20' }),
      outside('NO', 3_000n),
      sales({ subtotal: 70_000n, buyerCountry: 'NL' }),
      reverseCharged(80_000n),
    ])
    expect(rows).toEqual([
      ['CA', 0n, 0n, '3000000 CAD'],
      ['CH', 0n, 1_167_000n, '10000000 CHF'],
      ['EU', 1_000_000n, 1_000_000n, '1000000 EUR'],
      ['GB', 4_000n, 4_000n, '0 GBP'],
      ['NO', 3_000n, 3_000n, '5000000 NOK'],
      ['US', 10_000n, 10_000n, null],
    ])
  })

  it('thresholds except the Swiss threshold exclude sales to companies with a confirmed tax ID, whatever the effect of the tax ID', () => {
    const british = [outside('GB', 5_000n), { ...outside('GB', 70_000n), isConfirmed: true }]
    const credited = { ...outside('GB', 60_000n), isConfirmed: true, isCredited: true }
    const rows = shown([...british, credited]).filter(([country]) => country === 'GB' || country === 'CH')
    expect(rows).toEqual([
      ['CH', 0n, 15_000n, '10000000 CHF'],
      ['GB', 5_000n, 5_000n, '0 GBP'],
    ])
  })

  it('the Swiss threshold counts worldwide sales, including domestic sales and sales to companies', () => {
    const sums = [
      outside('CH', 1_000n),
      sales({ subtotal: 20_000n }),
      sales({ subtotal: 300_000n, buyerCountry: 'NL' }),
      reverseCharged(4_000_000n),
      sales({ subtotal: 5_000n, isCredited: true }),
    ]
    expect(shown(sums).filter(([country]) => country === 'CH' || country === 'EU')).toEqual([
      ['CH', 1_000n, 4_316_000n, '10000000 CHF'],
      ['EU', 15_000n, 15_000n, '1000000 EUR'],
    ])
  })

  it('before the first sale, all thresholds except the seller’s domestic threshold are listed', () => {
    expect(shown([]).map(([country]) => country)).toEqual(['CA', 'CH', 'EU', 'GB', 'NO'])
    expect(shown([], 'CH').map(([country]) => country)).toEqual(['CA', 'EU', 'GB', 'NO'])
    expect(shown([], 'NO').map(([country]) => country)).toEqual(['CA', 'CH', 'EU', 'GB'])
  })

  it('a seller outside the EU has a threshold of zero in the EU', () => {
    expect(shown([sales({ sellerCountry: 'GB', subtotal: 1n })], 'GB').find(([country]) => country === 'EU')).toEqual([
      ...['EU', 1n, 1n, '0 EUR'],
    ])
  })

  it('each country has at most one threshold per kind of seller, and each threshold states its law', () => {
    expect(new Set(thresholds.map(({ country, seller }) => `${country} ${seller}`)).size).toBe(thresholds.length)
    for (const { country, law, since, amount } of thresholds) {
      expect(country === 'EU' || isCountry(country), country).toBe(true)
      expect(lawInEnglish(law), country).toMatch(/art\.|§|s\.|schedule/)
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
  ])(
    'for a threshold of %s minor units, sales of %s EUR cents at the exchange rate %s are %s percent of the threshold',
    (amount, counted, rate, percent) => {
      expect(percentOf({ amount } as Threshold, counted, rate)).toBe(percent)
    },
  )

  it.each([
    ['reached', 1_000_000n, 100n, false],
    ['reached', 2_500_000n, 250n, false],
    ['near', 999_999n, 99n, false],
    ['near', 800_000n, 80n, false],
    ['below', 799_999n, 79n, false],
    ['below', 1n, 0n, false],
    ['unsold', 0n, 0n, false],
    ['unsold', -1n, 0n, false],
    ['registered', 1_000_000n, 100n, true],
    ['registered', 0n, 0n, true],
  ])(
    'the status of the EU threshold is %s with sales of %s EUR cents, which are %s percent (registered: %s)',
    (standing, sold, percent, isRegistered) => {
      const threshold = thresholds[0] as Threshold
      expect(percentOf(threshold, sold, '1')).toBe(percent)
      expect(standingOf({ country: 'EU', sold, counted: sold, threshold }, percent, isRegistered)).toBe(standing)
    },
  )

  it.each([
    ['reached', 1n],
    // A seller without sales in Switzerland owes nothing there, although Switzerland counts worldwide sales.
    ['unsold', 0n],
  ])(
    'the status of the Swiss threshold is %s with 120 percent of worldwide sales and %s EUR cents in Switzerland',
    (standing, sold) => {
      const threshold = thresholds.find(({ country }) => country === 'CH') as Threshold
      const counted = 12_000_000n
      const percent = percentOf(threshold, counted, '1')
      expect(percent).toBe(120n)
      expect(standingOf({ country: 'CH', sold, counted, threshold }, percent, false)).toBe(standing)
    },
  )

  it.each([
    ['unknown', 1n, false],
    ['unsold', 0n, false],
    ['registered', 0n, true],
  ])(
    'the status of a country without a known threshold is %s with sales of %s EUR cents (registered: %s)',
    (standing, sold, isRegistered) => {
      expect(standingOf({ country: 'US', sold, counted: sold, threshold: null }, null, isRegistered)).toBe(standing)
    },
  )
})
