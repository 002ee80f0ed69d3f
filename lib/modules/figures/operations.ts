import { everywhere, realNow, type Tenant, now as timeOf } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { isQueued } from '../../platform/jobs/is-queued.ts'
import { Reschedule, snoozeTask, type TaskContext } from '../../platform/jobs/tasks.ts'
import { log } from '../../platform/log.ts'
import { requireStorefront } from '../accounts/store.ts'
import { transact } from '../events/transact.ts'
import { derive, spansOf } from './derive.ts'
import { dayOf, daysAfter, daysBetween, lastClosedDay, laterDay } from './rules/days.ts'
import { differencesOf, type FigureDifference } from './rules/differences.ts'
import type { FigureDay } from './rules/figure-day.ts'
import { type Days, eventsCompleteFrom, firstActiveDay } from './sources.ts'
import * as store from './store.ts'
import { closeDays } from './tasks.ts'

/**
 * After this number of milliseconds, a run starts on no further storefront, because an orderly shutdown waits until the
 * run ends.
 */
const runMs = 2_000
const betweenFullRunsMs = 1_000
const betweenRunsMs = 60_000
const tenantsAtOnce = 50
const longestMs = 60 * 60_000

/** If one storefront fails, the run continues with the other storefronts, and the task is retried. */
export async function runClosing(context: TaskContext): Promise<void> {
  await snoozeTask(db(), context.claim, { ms: longestMs, mostMs: longestMs })
  const until = realNow().getTime() + runMs
  const due = await store.dueTenants(db(), tenantsAtOnce)
  const failed: unknown[] = []
  let closed = 0
  for (const tenant of due) {
    if (realNow().getTime() >= until) break
    closed += 1
    try {
      await closeFigures(tenant)
    } catch (error) {
      log.error({ ...tenant, error }, 'the figures of a storefront could not be calculated')
      failed.push(error)
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, `the figures of ${failed.length} storefronts failed`)
  const isDone = closed === due.length && due.length < tenantsAtOnce
  const next = new Date(realNow().getTime() + (isDone ? betweenRunsMs : betweenFullRunsMs))
  await transact(context, async () => new Reschedule(next))
}

export const planClosing = (): Promise<void> =>
  transact(everywhere, async ({ sql, enqueue }) => {
    if (await isQueued(sql, closeDays.name)) return
    await enqueue(closeDays, { key: 'all', data: {}, dueAt: realNow() })
  })

/**
 * Derives and stores the figures of all ended days, and marks these days as closed. Derives the last closed day again, because a transaction of that day may
 * have committed late. Concurrent and repeated calls have the same result as one call.
 */
export const closeFigures = (tenant: Tenant): Promise<void> =>
  onLockedFigures(tenant, async (sql, closed, to) => {
    const first = closed ?? (await firstActiveDay(sql, tenant, null))
    if (first !== null && first <= to) await deriveAndStore(sql, tenant, { from: first, to }, null)
    if (closed === null || closed < to) await store.saveClosedDay(sql, tenant, to)
  })

/** Derives all figures again. Returns the corrected figures of the days that were already closed before this call. */
export async function rebuildFigures(tenant: Tenant): Promise<FigureDifference[]> {
  let differences: FigureDifference[] = []
  await onLockedFigures(tenant, async (sql, closed, last) => {
    const first = await firstActiveDay(sql, tenant, null)
    const to = closed === null ? last : laterDay(closed, last)
    const before = await store.figuresOf(sql, tenant, { from: firstDay, to })
    const eventsFrom = closed === null ? null : await eventsCompleteFrom(sql)
    if (first !== null && first <= to) await deriveAndStore(sql, tenant, { from: first, to }, eventsFrom)
    await store.saveClosedDay(sql, tenant, to)
    const after = await store.figuresOf(sql, tenant, { from: firstDay, to })
    differences = differencesOf(before, after).filter(({ day }) => closed !== null && day <= closed)
  })
  return differences
}

/** Derives all figures again and returns the corrected figures, in minor units. Throws `validation_failed` if the storefront does not exist. */
export async function rebuild(storefrontId: string | undefined, mode: string | undefined) {
  if (storefrontId !== undefined) await requireStorefront(db(), storefrontId)
  const found = []
  for (const id of storefrontId === undefined ? await store.allStorefrontIds(db()) : [storefrontId])
    for (const each of ['test', 'live'].filter((one) => mode === undefined || one === mode)) {
      const differences = await rebuildFigures({ storefrontId: id, testmode: each === 'test' })
      found.push(...differences.map((difference) => ({ storefront: id, mode: each, ...difference })))
    }
  return found
}

const firstDay = '2000-01-01'

/** The lock allows one call at a time per storefront and mode. Skips a storefront on hold. */
const onLockedFigures = (
  tenant: Tenant,
  work: (sql: Sql, closed: string | null, to: string) => Promise<void>,
): Promise<void> =>
  db().$transaction(
    async (sql) => {
      const closed = await store.lockClosed(sql, tenant)
      if (await store.isHeld(sql, tenant)) return
      await work(sql, closed, lastClosedDay(await timeOf(sql, tenant)))
    },
    { timeout: longestMs },
  )

async function deriveAndStore(sql: Sql, tenant: Tenant, days: Days, eventsFrom: string | null): Promise<void> {
  for (const span of spansOf(days, eventsFrom)) {
    // A test clock can advance by years, so spans without events and figures are skipped.
    const active = await firstActiveDay(sql, tenant, span.from)
    if (active !== null && active > span.to && !(await store.hasFigures(sql, tenant, span))) continue
    const { figures, changes } = await derive(sql, tenant, span, eventsFrom)
    await store.replaceFigures(sql, tenant, span, figures)
    if (eventsFrom === null || span.from >= eventsFrom) await store.replaceAmounts(sql, tenant, span, changes)
  }
}

export interface OpenFigures {
  readonly figures: readonly FigureDay[]
  /**
   * The day before the first derived day, and the last day to read from the stored figures. A derived day would count
   * twice if a task closed the day during the page view.
   */
  readonly storedUntil: string
  /**
   * The last day with complete figures: the current day, or the last closed day if the task that closes days is late.
   */
  readonly until: string
}

/**
 * The maximum number of days after the last closed day for which a page view derives figures. If there are more such days, the page shows only the closed days.
 */
const mostOpenDays = 2

export async function openFigures(sql: Sql, tenant: Tenant, closed: string | null, now: Date): Promise<OpenFigures> {
  const today = dayOf(now)
  const open = closed === null ? ((await firstActiveDay(sql, tenant, null)) ?? today) : daysAfter(closed, 1)
  const storedUntil = daysAfter(open, -1)
  if (daysBetween(open, today) >= mostOpenDays) return { figures: [], storedUntil, until: storedUntil }
  if (open > today) return { figures: [], storedUntil: today, until: today }
  const { figures } = await derive(sql, tenant, { from: open, to: today }, null)
  return { figures, storedUntil, until: today }
}
