import { db, updateRows } from '../../platform/db/db.ts'
import { claimAgain, lockClaims } from '../../platform/jobs/claims.ts'
import { leaseMs } from '../../platform/jobs/leases.ts'
import { OpenStream } from '../../platform/jobs/open-streams.ts'
import {
  completion,
  failTask,
  runTaskNow,
  snoozeTask,
  type TaskClaim,
  type TaskContext,
} from '../../platform/jobs/tasks.ts'
import { withoutCompletion } from '../../platform/jobs/transact.ts'
import { wake } from '../../platform/jobs/wake.ts'
import { log } from '../../platform/log.ts'
import { shortError } from '../../platform/short-error.ts'
import { WorkQueue } from '../../platform/work-queue.ts'
import { dispatchWebhooks } from '../events/tasks.ts'
import { type Transaction, transact } from '../events/transact.ts'
import { attempt } from './attempt.ts'
import * as queue from './queue.ts'
import { type Attempted, recordAttempts } from './record.ts'
import { merge, startable } from './rules/next.ts'
import { deliveryStates } from './rules/state.ts'
import { wants } from './rules/wants.ts'
import type { WebhookEndpoint } from './store.ts'

/**
 * Runs a dispatch task, which makes all due delivery attempts to one endpoint, up to 32 concurrently. One transaction
 * starts attempts, and another transaction records their responses. If the process dies, started attempts are repeated
 * after their leases end, so a receiver can get an event twice, but never misses an event.
 */
export async function dispatchDeliveries(tenant: TaskContext, { stream }: { stream: string }): Promise<void> {
  const dispatch = new Dispatch(tenant, stream)
  try {
    const isBlocked = await dispatch.run()
    // The task ends without waiting for its last attempts, which can still be in progress when the next dispatch task
    // starts.
    if (isBlocked) await snoozeTask(db(), tenant.claim, blocked)
    else await transact(tenant, async () => undefined)
    dispatch.release()
    wake()
  } finally {
    await dispatch.end()
  }
}

/**
 * The first and the longest delay, in milliseconds, of the next dispatch task if no due attempt could be started. For
 * example, another process may be sending an earlier event of the same entity.
 */
const blocked = { ms: 500, mostMs: 5_000 }
const mostStopped = 500
/** The maximum number of milliseconds to wait, after the first response, until half of the responses have arrived. */
const gatherMs = 15
/**
 * Limits the database connections of all dispatch tasks, and serves the storefronts in rotation. A storefront uses at
 * most half of these connections. The reason: its transactions can wait for a lock during a test clock advance or a
 * move to another installation.
 */
const transactions = new WorkQueue({
  atOnce: 4,
  atOnceOfOne: 2,
  most: Number.POSITIVE_INFINITY,
  mostOfOne: Number.POSITIVE_INFINITY,
  retryAfterSeconds: 0,
})

type Begun = queue.Queued & { readonly endpoint: WebhookEndpoint; readonly body: string }

interface Look {
  readonly begun: readonly Begun[]
  /** Deliveries that were stopped, and tasks that were deleted because they had no pending delivery. */
  readonly stopped: readonly Pick<queue.Queued, 'isBeside'>[]
  readonly isBlocked: boolean
  readonly isLast: boolean
}

const nothing: Look = { begun: [], stopped: [], isBlocked: false, isLast: false }

class Dispatch {
  private readonly open: OpenStream
  private readonly underWay = new Set<Promise<void>>()
  private readonly answered: Attempted[] = []
  private recording: Promise<void> | undefined
  private failure: { readonly error: unknown } | undefined

  constructor(
    private readonly tenant: TaskContext,
    private readonly endpointId: string,
  ) {
    this.open = new OpenStream(endpointId, tenant.storefrontId, tenant.moment !== undefined)
    // A short lease replaces the long lease of an Inngest server, so that another process takes over soon if this process dies.
    this.open.hold(tenant.claim)
  }

  /**
   * Makes attempts until no delivery is due or the time limit is reached. The last attempts can still be in progress
   * when this function returns. Returns true if deliveries are due but no attempt could be started.
   */
  async run(): Promise<boolean> {
    let hasBegun = false
    for (;;) {
      const wasIdle = this.isIdle
      const { begun, stopped, isBlocked, isLast } = await this.look()
      hasBegun ||= begun.length + stopped.length > 0
      this.count(stopped)
      this.recordAnswered()
      if (this.failure) throw this.failure.error
      if (isLast || this.open.isOver) return isBlocked && !hasBegun
      if (stopped.length > 0) continue
      // Continues if an attempt was in progress when the queue was read, because the response may have unblocked
      // another attempt since then.
      if (wasIdle && this.isIdle) return isBlocked && !hasBegun
      await this.open.changed()
      // Waits for more responses, because recording several responses in one transaction costs little more than recording one response.
      if (begun.length > 1) await this.open.gathered(begun.length / 2, gatherMs)
    }
  }

  /** Call this function when the dispatch task is completed or postponed, so that its lease is no longer extended. */
  release(): void {
    this.open.drop(this.tenant.claim)
  }

  async end(): Promise<void> {
    this.open.stop()
    this.release()
    const wasIdle = this.isIdle
    while (!this.isIdle) {
      this.recordAnswered()
      await this.open.changed()
    }
    await this.open.close()
    if (!wasIdle) {
      // Makes the next dispatch task due now, because it may have been postponed until these responses were recorded.
      await runTaskNow(db(), dispatchWebhooks.name, this.endpointId)
      wake()
    }
    if (this.failure) throw this.failure.error
  }

  private get isIdle(): boolean {
    return this.underWay.size === 0 && this.answered.length === 0 && !this.recording
  }

  private async look(): Promise<Look> {
    const room = this.open.takeRoom()
    if (room === 0) return { ...nothing, isBlocked: true }
    let begun = 0
    try {
      const found = await this.transact((tx) => beginNext(tx, this.tenant, this.endpointId, room))
      begun = found.begun.length
      for (const each of found.begun) this.start(each)
      if (begun === 0) this.open.rest()
      return found
    } finally {
      this.open.free(room - begun)
    }
  }

  private start(begun: Begun): void {
    this.open.hold(begun.claim)
    const attempt = this.attempt(begun)
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.underWay.delete(attempt)
        this.open.free(1)
        this.open.change()
      })
    this.underWay.add(attempt)
  }

  private async attempt({ delivery, endpoint, body, before, isBeside, claim, trace }: Begun): Promise<void> {
    try {
      // A first attempt belongs to the trace of the event. A retry belongs to the trace of its dispatch task.
      const cause = delivery.attempts === 0 ? trace : null
      const made = await attempt(endpoint, { id: delivery.eventId, body }, cause)
      this.answered.push({ deliveryId: delivery.id, claim, before, isBeside, url: endpoint.url, ...made })
    } catch (error) {
      await this.putOff(claim, error)
    }
  }

  private recordAnswered(): void {
    if (this.recording || this.answered.length === 0) return
    const made = this.answered.splice(0)
    this.recording = this.record(made)
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        // Also releases claims whose attempts could not be recorded. Otherwise, `open` would extend their leases without end.
        for (const { claim } of made) this.open.drop(claim)
        this.recording = undefined
        this.open.change()
      })
  }

  private async record(made: readonly Attempted[]): Promise<void> {
    try {
      this.count(await this.transact((tx) => recordAttempts(tx, made)))
    } catch (error) {
      const [only, ...others] = made
      if (only && others.length === 0) return this.putOff(only.claim, error)
      // The batch was rolled back. Its attempts are therefore recorded one by one, so that only the attempt that fails
      // is not recorded.
      for (const one of made) await this.record([one])
    }
  }

  private count(ended: readonly Pick<queue.Queued, 'isBeside'>[]): void {
    const beside = ended.filter(({ isBeside }) => isBeside).length
    if (ended.length > 0) this.open.ended({ own: ended.length - beside, beside })
  }

  /** The error is ours, not the receiver's, so the attempt does not count and is made again. */
  private async putOff(claim: TaskClaim, error: unknown): Promise<void> {
    this.open.drop(claim)
    log.error({ taskId: claim.taskId, error: shortError(error) }, 'a delivery could not be attempted or recorded')
    await failTask(db(), claim, shortError(error))
  }

  private fail(error: unknown): void {
    this.failure ??= { error }
    this.open.stop()
  }

  private transact<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return transactions.run(this.tenant.storefrontId, () => transact(withoutCompletion(this.tenant), work))
  }
}

/** Starts due retries. Starts first attempts in the order of the events, up to the first event that must wait. Stops due deliveries of disabled events. */
async function beginNext(tx: Transaction, task: TaskContext, endpointId: string, room: number): Promise<Look> {
  const { sql, now, ...tenant } = tx
  // Starts nothing if another process has claimed the dispatch task.
  if ((await lockClaims(sql, [task.claim])).size === 0) return { ...nothing, isLast: true }
  const isStopped = task.moment !== undefined
  const { endpoint, isAdvancing, unanswered } = await queue.getReceiver(sql, endpointId)
  // While the test clock advances, only dispatch tasks of the advance deliver events. At all other times, only dispatch
  // tasks outside an advance deliver events.
  if (isAdvancing !== isStopped) return { ...nothing, isBlocked: true, isLast: true }
  const wantsAny = !endpoint.deleted && endpoint.enabledEvents.length > 0
  const most = wantsAny ? room : mostStopped
  const { unstarted, retries } = await queue.findNext(sql, tenant, endpointId, { most, withBody: wantsAny, isStopped })
  if (unstarted.length + retries.length === 0) {
    const deleted = await queue.deleteTasksOfNothing(sql, tenant, endpointId, isStopped)
    const isBlocked = deleted.length === 0 && (await queue.isDue(sql, tenant, endpointId, isStopped))
    return { ...nothing, stopped: deleted, isBlocked }
  }
  const isWanted = ({ eventName }: queue.Queued) => wants(endpoint, eventName)
  const unwanted = [...unstarted, ...retries].filter((each) => each.isReady && !isWanted(each))
  const stopped = await stop(tx, unwanted)
  const first = startable(unstarted.filter(isWanted), unanswered)
  const next = merge(first, retries.filter(isWanted), room)
  await queue.startDeliveries(
    sql,
    first.filter((each) => next.includes(each)).map((each) => ({ id: each.delivery.id, at: each.moment?.at ?? now })),
  )
  const claims = await claimAgain(
    sql,
    next.map(({ claim }) => claim),
    leaseMs,
  )
  const begun = next.flatMap((each) => {
    const claim = claims.get(each.claim.taskId)
    const { moment, body } = each
    return claim && body !== null ? [{ ...each, claim: { ...claim, ...(moment && { moment }) }, endpoint, body }] : []
  })
  const isBlocked = begun.length + stopped.length === 0
  return { begun, stopped, isBlocked, isLast: false }
}

/** Stops deliveries, except deliveries that were claimed or re-sent since they were read. */
async function stop({ sql }: Transaction, unwanted: readonly queue.Queued[]): Promise<readonly queue.Queued[]> {
  const current = await lockClaims(
    sql,
    unwanted.map(({ claim }) => claim),
  )
  const stopped = unwanted.filter(({ claim }) => current.has(claim.taskId))
  const rows = stopped.map(({ delivery: { id, status } }) => ({
    id,
    status: deliveryStates.on(status, 'stop'),
    next_attempt_at: null,
  }))
  await updateRows(sql, 'deliveries', rows)
  if (stopped.length > 0) {
    await sql.$executeRaw(completion(stopped.map(({ claim }) => claim)))
  }
  return stopped
}
