import { statedCurrencies } from '../../kernel/currencies.ts'
import { endOfTime } from '../../kernel/moment.ts'
import type { Sql } from '../../platform/db/db.ts'
import { publishingDayFrom, publishingDays } from './rules/publishing-days.ts'

export interface ReferenceRate {
  readonly currency: string
  /** The day of the rate, for example `2026-11-20`. */
  readonly day: string
  /** The number of units of the currency per euro, as a decimal string. */
  readonly rate: string
}

/**
 * Returns the newest rate of each currency up to the day `on`, without rates that were fetched after `knownAt`. The
 * rates of a day are published in the afternoon, so the newest rate can be a rate of an earlier day.
 */
export const newestReferenceRates = (
  sql: Sql,
  on: Date,
  { knownAt = endOfTime }: { knownAt?: Date } = {},
): Promise<ReferenceRate[]> => sql.$queryRaw`
  SELECT newest.currency, to_char(newest.day, 'YYYY-MM-DD') AS day, newest.rate
  FROM unnest(${statedCurrencies}::text[]) AS known (currency) CROSS JOIN LATERAL (
    SELECT currency, day, rate FROM exchange_rates
    WHERE currency = known.currency AND day <= ${on.toISOString().slice(0, 10)}::date AND fetched_at <= ${knownAt}
    ORDER BY day DESC LIMIT 1) AS newest`

/**
 * Returns the rate of a day. A day without rates has the rate of the next day with rates (Directive 2006/112/EC, art.
 * 369h(2)). Null if this rate is not stored.
 */
export async function rateFrom(sql: Sql, currency: string, day: string): Promise<ReferenceRate | null> {
  const published = publishingDayFrom(day)
  const row = await sql.exchange_rates.findUnique({
    where: { currency_day: { currency, day: new Date(`${published}T00:00:00Z`) } },
  })
  return row && { currency, day: published, rate: row.rate }
}

export async function missingDays(sql: Sql, until: string): Promise<string[]> {
  const rows = await sql.$queryRaw<{ day: string }[]>`
    SELECT DISTINCT to_char(day, 'YYYY-MM-DD') AS day FROM exchange_rates ORDER BY 1`
  const known = new Set(rows.map(({ day }) => day))
  const [first] = known
  return first === undefined ? [] : publishingDays(first, until).filter((day) => !known.has(day))
}

export async function saveRates(sql: Sql, rates: readonly ReferenceRate[], fetchedAt: Date): Promise<void> {
  const data = rates.map(({ currency, day, rate }) => ({
    currency,
    rate,
    fetched_at: fetchedAt,
    day: new Date(`${day}T00:00:00Z`),
  }))
  await sql.exchange_rates.createMany({ data, skipDuplicates: true })
}
