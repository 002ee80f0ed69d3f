import { statedCurrencies } from '../../kernel/currencies.ts'
import type { Sql } from '../../platform/db/db.ts'

export interface ReferenceRate {
  /** ISO 4217. */
  readonly currency: string
  /** As 2026-11-20. */
  readonly day: string
  /** Units for one euro, as a decimal. */
  readonly rate: string
}

/** The newest rate of each currency that the service knows, not of a later day than `on`: one look-up each. */
export const newestReferenceRates = (sql: Sql, on: Date): Promise<ReferenceRate[]> => sql.$queryRaw`
  SELECT newest.currency, to_char(newest.day, 'YYYY-MM-DD') AS day, newest.rate
  FROM unnest(${statedCurrencies}::text[]) AS known (currency) CROSS JOIN LATERAL (
    SELECT currency, day, rate FROM exchange_rates
    WHERE currency = known.currency AND day <= ${on.toISOString().slice(0, 10)}::date
    ORDER BY day DESC LIMIT 1) AS newest`

/** The rate of a day, or of the next day on which there is one; null without one in the week after it. */
export async function rateFrom(sql: Sql, currency: string, day: string): Promise<ReferenceRate | null> {
  const first = new Date(`${day}T00:00:00Z`)
  const row = await sql.exchange_rates.findFirst({
    where: { currency, day: { gte: first, lt: new Date(first.getTime() + 8 * 86_400_000) } },
    orderBy: { day: 'asc' },
  })
  return row && { currency, day: row.day.toISOString().slice(0, 10), rate: row.rate }
}

/** Keeps rates; one that is known stays as it was published first. */
export async function saveRates(sql: Sql, rates: readonly ReferenceRate[], fetchedAt: Date): Promise<void> {
  const data = rates.map(({ currency, day, rate }) => ({
    ...{ currency, rate, fetched_at: fetchedAt },
    day: new Date(`${day}T00:00:00Z`),
  }))
  await sql.exchange_rates.createMany({ data, skipDuplicates: true })
}
