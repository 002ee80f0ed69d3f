import { addDuration } from '../../kernel/calendar.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type ExchangeRates, testModeRates } from '../orders/rules/exchange.ts'
import { newestRate, type ReferenceRate } from './store.ts'

/** The newest reference rate of dollars, if it is of the last week. */
export async function servingRate(sql: Sql, now: Date): Promise<ReferenceRate | null> {
  const newest = await newestRate(sql, 'USD', now)
  const oldest = addDuration(now, { days: -7 })?.toISOString().slice(0, 10) ?? ''
  return newest && newest.day >= oldest ? newest : null
}

/** The rates at which a mode sells at a moment. In live mode a currency without a rate of the last week is not on offer. */
export async function ratesFor(
  sql: Sql,
  { testmode }: { readonly testmode: boolean },
  now: Date,
): Promise<ExchangeRates> {
  return testmode ? testModeRates : { EUR: '1', USD: (await servingRate(sql, now))?.rate ?? null }
}

/** The newest rates, however old: for what is sold already. Where none was ever known, those of test mode. */
export async function newestRates(
  sql: Sql,
  { testmode }: { readonly testmode: boolean },
  now: Date,
): Promise<Record<'EUR' | 'USD', string>> {
  const newest = testmode ? null : await newestRate(sql, 'USD', now)
  return { EUR: '1', USD: newest?.rate ?? testModeRates.USD }
}
