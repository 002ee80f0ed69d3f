import type { Currency } from '../../kernel/money.ts'
import type { Sql } from '../../platform/db/db.ts'

export interface ReferenceRate {
  readonly currency: Currency
  /** As 2026-11-20. */
  readonly day: string
  /** Units for one euro, as a decimal. */
  readonly rate: string
}

/** The newest rate of a currency that is not of a later day than `on`; null without one. */
export async function newestRate(sql: Sql, currency: Currency, on: Date): Promise<ReferenceRate | null> {
  const row = await sql.exchange_rates.findFirst({
    where: { currency, day: { lte: on } },
    orderBy: { day: 'desc' },
  })
  return row && { currency, day: row.day.toISOString().slice(0, 10), rate: row.rate }
}

/** The rate of a day, or of the next day on which there is one; null without one in the week after it. */
export async function rateFrom(sql: Sql, currency: Currency, day: string): Promise<ReferenceRate | null> {
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
