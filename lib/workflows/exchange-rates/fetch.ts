import { currencies } from '../../kernel/currencies.ts'
import { daysAfter } from '../../modules/exchange/rules/publishing-days.ts'
import { missingDays, newestReferenceRates, saveRates } from '../../modules/exchange/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { every } from '../../platform/every.ts'
import { log } from '../../platform/log.ts'
import { serviceProblems } from '../../platform/outbound/service-problems.ts'
import { shortError } from '../../platform/short-error.ts'
import { connectedProviders, fetchPastRates, fetchRates } from '../../providers/index.ts'

const everyMs = 3_600_000
const rates = { kind: 'rates' } as const

/** Days up to this age are certainly in the shorter file of past rates. */
const shorterPastDays = 80

/** Also fetches the rates of missed days. Throws if rates cannot be fetched, or are dated in the future. */
export async function fetchNewestRates(now = realNow()): Promise<void> {
  const today = now.toISOString().slice(0, 10)
  const known = new Map((await newestReferenceRates(db(), now)).map(({ currency, day }) => [currency, day]))
  if (!currencies.every((currency) => currency === 'EUR' || known.get(currency) === today)) {
    const newest = await fetchRates()
    if (newest.day > today) throw new Error(`the reference rates are of a day to come, ${newest.day}`)
    await save([newest], now)
  }
  await fetchMissedRates(now, today)
}

const unpublished = new Set<string>()

/** A tax return needs the rates of exactly one day. */
async function fetchMissedRates(now: Date, today: string): Promise<void> {
  const missed = new Set((await missingDays(db(), today)).filter((day) => !unpublished.has(day)))
  const [oldest] = missed
  if (oldest === undefined) return
  const published = await fetchPastRates(oldest > daysAfter(today, -shorterPastDays) ? 'hist-90d' : 'hist')
  const found = published.filter(({ day }) => missed.has(day))
  await save(found, now)
  for (const { day } of found) missed.delete(day)
  // The bank may still publish the days after the file's newest day.
  for (const day of missed) if (published.some((each) => each.day > day)) unpublished.add(day)
}

const save = (days: readonly { day: string; rates: ReadonlyMap<string, string> }[], now: Date): Promise<void> =>
  saveRates(
    db(),
    days.flatMap(({ day, rates }) => [...rates].map(([currency, rate]) => ({ currency, day, rate }))),
    now,
  )

/** Every hour, if live payments are configured. Returns a function that stops it and waits for a run in progress. */
export function startFetchingRates(): () => Promise<void> {
  return every(everyMs, fetchIfUsed, ratesFailed, { atOnce: true })
}

async function fetchIfUsed(): Promise<void> {
  if ((await connectedProviders()).length === 0) return
  await fetchNewestRates()
  serviceProblems().resolve(rates)
}

function ratesFailed(error: unknown): void {
  log.warn({ error: shortError(error) }, 'the reference rates could not be fetched')
  serviceProblems().report(rates, 'cannot be fetched', 3 * everyMs)
}
