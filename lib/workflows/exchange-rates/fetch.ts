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

/** The bank publishes two files of past rates. The shorter file (`hist-90d`) contains at least this number of days. */
const shorterPastDays = 80

/** Fetches the newest rates and the rates of missed days. Throws if rates cannot be fetched or are dated in the future. */
export async function fetchNewestRates(now = realNow()): Promise<void> {
  const today = now.toISOString().slice(0, 10)
  const known = new Map((await newestReferenceRates(db(), now)).map(({ currency, day }) => [currency, day]))
  if (!currencies.every((currency) => currency === 'EUR' || known.get(currency) === today)) {
    const newest = await fetchRates()
    if (newest.day > today) throw new Error(`the reference rates are of a future day, ${newest.day}`)
    await save([newest], now)
  }
  await fetchMissedRates(now, today)
}

const unpublished = new Set<string>()

/** A tax return needs the rates of one exact day, so the rates of missed days are fetched too. */
async function fetchMissedRates(now: Date, today: string): Promise<void> {
  const missed = new Set((await missingDays(db(), today)).filter((day) => !unpublished.has(day)))
  const [oldest] = missed
  if (oldest === undefined) return
  const published = await fetchPastRates(oldest > daysAfter(today, -shorterPastDays) ? 'hist-90d' : 'hist')
  const found = published.filter(({ day }) => missed.has(day))
  await save(found, now)
  for (const { day } of found) missed.delete(day)
  // If the file has rates of a later day, the bank will never publish rates of the missed day. Otherwise, the bank may still publish them.
  for (const day of missed) if (published.some((each) => each.day > day)) unpublished.add(day)
}

const save = (days: readonly { day: string; rates: ReadonlyMap<string, string> }[], now: Date): Promise<void> =>
  saveRates(
    db(),
    days.flatMap(({ day, rates }) => [...rates].map(([currency, rate]) => ({ currency, day, rate }))),
    now,
  )

/** Fetches rates every hour if live payments are configured. Returns a function that stops the schedule and waits for a fetch in progress. */
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
