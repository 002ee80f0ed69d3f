import peer from 'sales-tax/res/sales_tax_rates.json'
import { expect, test } from 'vitest'
import { isCountry } from '../../../kernel/countries.ts'
import { percent } from '../../../kernel/money.ts'
import { standardRate, standardRates } from './rates.ts'

const tableBegins = '2024-01-01'
const covered = [...new Set(standardRates.map((row) => row.country))]

type Timeline = Record<string, string>
interface PeerRate {
  rate: number
  before?: Record<string, { rate: number }>
}

/** Converts the rates of the npm package sales-tax to our format. The package states the present rate, and each former rate with the time at which it ended. */
function peerTimeline(country: string): Timeline | null {
  const entry = (peer as unknown as Record<string, PeerRate>)[country]
  if (!entry) return null
  const ends = Object.entries(entry.before ?? {}).sort(([a], [b]) => a.localeCompare(b))
  const spans = [...ends.map(([, { rate }]) => rate), entry.rate].map((rate, i) => {
    const since = ends[i - 1]?.[0]
    // The package states a change as midnight in local time, which is one to three hours before midnight in UTC. Adding three hours gives the local day.
    const day = since ? new Date(Date.parse(since) + 3 * 3_600_000).toISOString().slice(0, 10) : tableBegins
    return [day < tableBegins ? tableBegins : day, String(Math.round(rate * 1e6) / 1e4)] as const
  })
  return Object.fromEntries(spans)
}

const ourTimeline = (country: string): Timeline =>
  Object.fromEntries(
    standardRates.filter((row) => row.country === country).map((row) => [row.effectiveFrom, row.percentage]),
  )

test('the table of rates equals the npm package sales-tax on every day, except for known errors and gaps of the package', () => {
  const differences = covered
    .map((country) => ({ country, ours: ourTimeline(country), peer: peerTimeline(country) }))
    .filter(({ ours, peer }) => JSON.stringify(ours) !== JSON.stringify(peer))
  expect(differences).toEqual([
    // The package changes the Romanian rate one day late. It should state 21:00 UTC on 31 July, when 1 August begins in Bucharest.
    {
      country: 'RO',
      ours: { '2024-01-01': '19', '2025-08-01': '21' },
      peer: { '2024-01-01': '19', '2025-08-02': '21' },
    },
    // The package is outdated: Liechtenstein has the Swiss rate, which has been 8.1 since 2024.
    { country: 'LI', ours: { '2024-01-01': '8.1' }, peer: { '2024-01-01': '7.7' } },
    { country: 'ME', ours: { '2024-01-01': '21' }, peer: null },
  ])
})

test('the table of rates covers the EU, its neighbors, and Canada', () => {
  expect(covered.join(' ')).toBe(
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK ' +
      'AD AL BA CH GB GE IS LI MC MD ME MK NO RS TR UA CA',
  )
})

test('each row of the table of rates has a valid country, percentage, and day, in order of time', () => {
  for (const [i, row] of standardRates.entries()) {
    expect(isCountry(row.country)).toBe(true)
    expect(percent(row.percentage).numerator > 0n).toBe(true)
    expect(new Date(row.effectiveFrom).toISOString().slice(0, 10)).toBe(row.effectiveFrom)
    const before = standardRates[i - 1]
    if (before?.country === row.country) expect(before.effectiveFrom < row.effectiveFrom).toBe(true)
    else expect(row.effectiveFrom).toBe(tableBegins)
  }
})

test.each([
  ['EE', '2025-06-30T23:59:59Z', '22'],
  ['EE', '2025-07-01T00:00:00Z', '24'],
  ['FI', '2024-08-31T12:00:00Z', '24'],
  ['FI', '2026-11-20T12:00:00Z', '25.5'],
  ['RO', '2025-07-31T23:59:59Z', '19'],
  ['RO', '2025-08-01T00:00:00Z', '21'],
  ['SK', '2024-12-31T23:59:59Z', '20'],
  ['SK', '2025-01-01T00:00:00Z', '23'],
  ['NL', '2999-12-31T23:59:59Z', '21'],
])('the standard rate of %s at %s is %s %%', (country, moment, percentage) => {
  expect(standardRate(country, new Date(moment))).toEqual({ name: 'VAT', percentage })
})

test('standardRate returns null for an unlisted country and throws for a day before the table begins', () => {
  expect(standardRate('US', new Date('2026-11-20'))).toBeNull()
  expect(standardRate('EL', new Date('2026-11-20'))).toBeNull()
  expect(() => standardRate('NL', new Date('2023-12-31T23:59:59Z'))).toThrow(RangeError)
})
