import { currencies } from '../../kernel/currencies.ts'
import { newestReferenceRates, saveRates } from '../../modules/exchange/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { every } from '../../platform/every.ts'
import { log } from '../../platform/log.ts'
import { shortError } from '../../platform/short-error.ts'
import { connectedProviders, fetchRates } from '../../providers/index.ts'

const everyMs = 3_600_000

/**
 * Fetches the newest rates and keeps them all, unless those of this day are known. Throws if they cannot be had, or are of
 * a day to come.
 */
export async function fetchNewestRates(now = realNow()): Promise<void> {
  const today = now.toISOString().slice(0, 10)
  const known = new Map((await newestReferenceRates(db(), now)).map(({ currency, day }) => [currency, day]))
  if (currencies.every((currency) => currency === 'EUR' || known.get(currency) === today)) return
  const { day, rates } = await fetchRates()
  if (day > today) throw new Error(`the reference rates are of a day to come, ${day}`)
  await saveRates(
    db(),
    [...rates].map(([currency, rate]) => ({ currency, day, rate })),
    now,
  )
}

/** Fetches them now and every hour, where live payments are set up. Returns how to stop it; that waits for a run in progress. */
export function startFetchingRates(): () => Promise<void> {
  return every(
    everyMs,
    async () => (await connectedProviders()).length > 0 && fetchNewestRates(),
    (error) => log.warn({ error: shortError(error) }, 'the reference rates could not be fetched'),
    { atOnce: true },
  )
}
