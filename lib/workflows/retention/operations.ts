import { removeOldEmails } from '../../modules/emails/old-emails.ts'
import { moveHorizon, type RemovedKind, removedKinds, saveWalk } from '../../modules/events/horizons.ts'
import { transact } from '../../modules/events/transact.ts'
import { removeOldDeliveries, removeOldEvents } from '../../modules/webhooks/old-rows.ts'
import { everywhere, realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { type OldRows, type Walked, walk } from '../../platform/db/walk.ts'
import { isQueued } from '../../platform/jobs/is-queued.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { log } from '../../platform/log.ts'
import { horizonOf } from './rules/horizon.ts'
import { removeOld } from './tasks.ts'

/** The maximum duration, in milliseconds, of one removal. It is short, because an orderly shutdown waits for the current removal. */
const walkMs = 2_000
const betweenWalksMs = 1_000
const betweenRunsMs = 60 * 60_000

/** Deliveries are removed first, because an event stays while it has a delivery. */
const removers: Readonly<Record<RemovedKind, (sql: Sql, rows: OldRows) => Promise<Walked>>> = {
  deliveries: removeOldDeliveries,
  events: removeOldEvents,
  emails: removeOldEmails,
}

/**
 * Removes old rows. Runs again in one second if rows are left, and otherwise in one hour. Commits each statement
 * separately, so that a killed process loses no work.
 */
export async function runRemoval(context: TaskContext): Promise<void> {
  const removed: Partial<Record<RemovedKind, number>> = {}
  let isDone = true
  for (const kind of removedKinds) {
    const walked = await removeSome(kind)
    removed[kind] = walked.removed
    isDone &&= walked.walkedTo === ''
  }
  if (Object.values(removed).some((count) => count > 0)) log.info({ removed }, 'removed old rows')
  const next = new Date(realNow().getTime() + (isDone ? betweenRunsMs : betweenWalksMs))
  await transact(context, async () => new Reschedule(next))
}

async function removeSome(kind: RemovedKind): Promise<{ removed: number; walkedTo: string }> {
  const before = horizonOf(realNow(), config().retentionDays[kind])
  if (!before) return { removed: 0, walkedTo: '' }
  const from = await moveHorizon(db(), kind, before)
  const walked = await walk(from, walkMs, (after, limit) => removers[kind](db(), { before, after, limit }))
  if (walked.walkedTo !== from) await saveWalk(db(), kind, walked.walkedTo)
  return walked
}

/**
 * Schedules the removal of old rows. If several processes call this function concurrently, only one task is scheduled.
 */
export const planRemoval = (): Promise<void> =>
  transact(everywhere, async ({ sql, enqueue }) => {
    if (await isQueued(sql, removeOld.name)) return
    await enqueue(removeOld, { key: 'all', data: {}, dueAt: realNow() })
  })
