import { addDuration } from '../../kernel/calendar.ts'
import { type Currency, currencies, type StatedCurrency, statedCurrencies } from '../../kernel/currencies.ts'
import type { Sql } from '../../platform/db/db.ts'
import { builtInRates, type ExchangeRate, type ExchangeRates } from '../orders/rules/exchange.ts'
import { newestReferenceRates, type ReferenceRate } from './store.ts'

interface Mode {
  readonly testmode: boolean
}

/** Returns the newest reference rate of each currency, unless that rate is more than seven days old. */
export async function servingRates(sql: Sql, now: Date): Promise<Map<string, ReferenceRate>> {
  const oldest = addDuration(now, { days: -7 })?.toISOString().slice(0, 10) ?? ''
  const newest = await newestReferenceRates(sql, now)
  return new Map(newest.filter(({ day }) => day >= oldest).map((each) => [each.currency, each]))
}

/** In live mode, a rate that is more than seven days old is null, and buyers cannot pay in that currency. */
export async function ratesFor(sql: Sql, { testmode }: Mode, now: Date): Promise<ExchangeRates> {
  if (testmode) return builtInRates
  const serving = await servingRates(sql, now)
  const known = currencies.map((currency) => [currency, ofBank(serving.get(currency))] as const)
  return { ...(Object.fromEntries(known) as Record<Currency, ExchangeRate | null>), EUR: builtInRates.EUR }
}

/**
 * Returns the newest rates, even if the rates are old. This function is for past sales. The fixed rates of test mode
 * replace missing rates. If `knownAt` is given, rates that were fetched after `knownAt` are ignored.
 */
export async function newestRates(
  sql: Sql,
  { testmode }: Mode,
  now: Date,
  only: { readonly knownAt?: Date } = {},
): Promise<Readonly<Record<StatedCurrency, ExchangeRate>>> {
  if (testmode) return builtInRates
  const newest = new Map((await newestReferenceRates(sql, now, only)).map((each) => [each.currency, each]))
  const known = statedCurrencies.map((currency) => [currency, ofBank(newest.get(currency)) ?? builtInRates[currency]])
  return Object.fromEntries(known)
}

const ofBank = (published: ReferenceRate | undefined): ExchangeRate | null =>
  published ? { rate: published.rate, source: 'ecb', on: published.day } : null
