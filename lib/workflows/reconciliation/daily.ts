import { setTimeout as wait } from 'node:timers/promises'
import { toWire } from '../../kernel/moment.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import type { Difference } from '../../modules/reconciliations/rules/compare.ts'
import * as store from '../../modules/reconciliations/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { every } from '../../platform/every.ts'
import { log } from '../../platform/log.ts'
import { shortError } from '../../platform/short-error.ts'
import { connectedProviders } from '../../providers/index.ts'
import { compareSettlements } from './settlements.ts'
import { compareWith } from './with-provider.ts'

const everyMs = 3_600_000
const dayMs = 86_400_000
/** The age, in days, up to which records are compared. A bank completes a direct debit or a refund within this time. */
const days = 10
/** The age, in days, up to which settlements are compared. Some providers pay out monthly, and a settlement arrives some days after its payments. */
const settlementDays = 60
const mostDaysToSettle = 45
/** Changes within this time (in milliseconds) are not compared, because the provider's responses may still lack them. */
const graceMs = 3_600_000
/** The time between two comparisons, in milliseconds. It is long enough for polling, which finds a missed change within a minute. */
const settleMs = 120_000

interface Options {
  readonly now?: Date
  readonly since?: Date
  readonly until?: Date
  readonly settledUntil?: Date
  readonly settleMs?: number
  readonly signal?: AbortSignal
  /** Receives each line of progress. */
  readonly say?: (line: string) => void
}

/** Reports a difference only if two comparisons, two minutes apart, find it. Throws if the provider does not respond. */
export async function reconcileWith(provider: PaymentProvider, options: Options = {}): Promise<void> {
  const now = options.now ?? realNow()
  const since = options.since ?? new Date(now.getTime() - days * dayMs)
  const span = { since, until: options.until ?? new Date(now.getTime() - graceMs) }
  const settled = {
    since: options.since ?? new Date(now.getTime() - settlementDays * dayMs),
    settledUntil: options.settledUntil ?? new Date(now.getTime() - mostDaysToSettle * dayMs),
    until: span.until,
  }
  const look = async () => {
    const books = await compareWith(provider, span)
    const paidOut = await settlementsOf(provider, settled)
    return { ...books, ...paidOut, differences: unique([...books.differences, ...paidOut.differences]) }
  }
  options.say?.(`Comparing the books of ${provider.name}.\n`)
  const first = await look()
  if (first.differences.length > 0) {
    const seconds = (options.settleMs ?? settleMs) / 1_000
    options.say?.(`Found ${first.differences.length} differences. Comparing again in ${seconds} seconds.\n`)
  }
  if (first.differences.length > 0) await wait(options.settleMs ?? settleMs, undefined, { signal: options.signal })
  const second = first.differences.length > 0 ? await look() : first
  const before = new Set(first.differences.map(keyOf))
  const differences = second.differences.filter((each) => before.has(keyOf(each)))
  await store.save(db(), { ...second, provider: provider.name, differences, finishedAt: now })
  for (const { kind, ref, id, atProvider, ours } of differences)
    log.error(
      { provider: provider.name, kind, ref, id, atProvider, ours },
      'our books differ from the books of a provider',
    )
}

/** If the settlements cannot be read, for example because of a refused token, the other comparisons continue. */
async function settlementsOf(provider: PaymentProvider, span: Parameters<typeof compareSettlements>[1]) {
  try {
    return (await compareSettlements(provider, span)) ?? { settlements: null, differences: [] }
  } catch (error) {
    const why = { provider: provider.name, error: shortError(error) }
    log.error(why, 'the settlements of a provider could not be read')
    return { settlements: null, differences: [] }
  }
}

/** If the books and a settlement show the same difference, returns only the difference from the books. */
function unique(differences: readonly Difference[]): Difference[] {
  const byKey = new Map<string, Difference>()
  for (const each of differences) if (!byKey.has(keyOf(each))) byKey.set(keyOf(each), each)
  return [...byKey.values()]
}

const keyOf = ({ kind, ref, id }: Difference): string => `${kind} ${ref} ${id}`

/** Throws after all comparisons if a provider did not respond. */
export async function reconcileNow(options: Options = {}) {
  const failed: unknown[] = []
  for (const provider of await connectedProviders())
    await reconcileWith(provider, options).catch((error) => failed.push(error))
  if (failed.length > 0) throw failed[0]
  return lastDifferences()
}

export const lastDifferences = async () =>
  (await store.newest(db())).flatMap(({ provider, day, differences }) =>
    differences.map(({ kind, ref, atProvider, id, ours }) => ({ provider, day, kind, ref, atProvider, id, ours })),
  )

/** Returns one line per account, such as `mollie: compared at 2026-12-01T03:05:00Z (payments: 4, refunds: 1, chargebacks: 0). The books agree.` */
export async function lastComparisons(): Promise<string> {
  const lines = (await store.newest(db())).map(
    ({ provider, payments, refunds, chargebacks, differences, finishedAt }) => {
      const result = differences.length === 0 ? 'The books agree' : `Differences: ${differences.length}`
      const what = `payments: ${payments}, refunds: ${refunds}, chargebacks: ${chargebacks}`
      return `${provider}: compared at ${toWire(finishedAt)} (${what}). ${result}.`
    },
  )
  return lines.length === 0
    ? 'The books were never compared with the books of a live payment provider.'
    : lines.join('\n')
}

export const lastSettlements = async () =>
  (await store.newest(db())).flatMap(({ provider, settlements }) =>
    (settlements ?? []).map(({ ref, settledAt, revenue, costs, amount, ...settlement }) => ({
      provider,
      settlement: ref,
      ...settlement,
      settledAt: settledAt === null ? null : new Date(settledAt),
      revenue: shortened(revenue),
      costs: shortened(costs),
      amount: shortened(amount),
    })),
  )

/**
 * Shortens an amount with whole cents, such as `63.0400`, to `63.04`. Other amounts keep four decimals, because
 * providers charge costs with fractions of a cent.
 */
const shortened = (amount: string): string => amount.replace(/(\.\d\d)00$/, '$1')

const notCompared = (error: unknown, provider?: string) =>
  log.warn({ provider, error: shortError(error) }, 'the books of a provider could not be compared')

/** Compares each account once a day, in one of the processes. Returns a function that stops the schedule and waits for a comparison in progress. */
export function startReconciling(): () => Promise<void> {
  const stop = new AbortController()
  const reconcileAll = async () => {
    for (const provider of await connectedProviders())
      if (!stop.signal.aborted && (await store.claim(db(), provider.name, realNow())))
        await reconcileWith(provider, { signal: stop.signal }).catch((error) => notCompared(error, provider.name))
  }
  const end = every(everyMs, reconcileAll, notCompared, { atOnce: true })
  return async () => {
    stop.abort()
    await end()
  }
}
