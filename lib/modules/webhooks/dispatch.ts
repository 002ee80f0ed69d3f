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
 * The dispatch of an endpoint makes all due attempts, up to 32 concurrently. One transaction begins as many attempts as
 * fit. The requests are sent outside a transaction. Another transaction records the responses so far. If the process
 * dies, the tasks remain, and started attempts are repeated when their leases have ended: a receiver may get an event
 * twice, but never misses one.
 */
export async function dispatchDeliveries(tenant: TaskContext, { stream }: { stream: string }): Promise<void> {
  const dispatch = new Dispatch(tenant, stream)
  try {
    const isBlocked = await dispatch.run()
    // The next dispatch may begin while the last attempts of this one are under way.
    if (isBlocked) await snoozeTask(db(), tenant.claim, blocked)
    else await transact(tenant, async () => undefined)
    dispatch.release()
    wake()
  } finally {
    await dispatch.end()
  }
}

/** How soon to look again at an endpoint whose next event waits for something outside this process. */
const blocked = { ms: 500, mostMs: 5_000 }
/** The maximum number of unwanted deliveries that one transaction stops. */
const mostStopped = 500
/** How long the first of several responses waits for half of them. */
const gatherMs = 15
/**
 * Limits the connections that dispatches use. The storefronts are served in rotation, and each uses at most half: its
 * transactions wait for its lock while its test clock is advanced, or while it moves.
 */
const transactions = new WorkQueue({
  atOnce: 4,
  atOnceOfOne: 2,
  most: Number.POSITIVE_INFINITY,
  mostOfOne: Number.POSITIVE_INFINITY,
  retryAfterSeconds: 0,
})

type Begun = queue.Queued & { readonly endpoint: WebhookEndpoint; readonly body: string }

/** The attempts that one look has begun, and the deliveries that it has stopped. */
interface Look {
  readonly begun: readonly Begun[]
  /** The deliveries that were stopped, and tasks without a delivery. */
  readonly stopped: readonly Pick<queue.Queued, 'isBeside'>[]
  /** Whether other deliveries are due and must wait. */
  readonly isBlocked: boolean
  /** Whether the dispatch may begin no further attempt. */
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
    // Also held if an Inngest server runs the dispatch with longer claims: if this process dies, another one follows
    // soon.
    this.open.hold(tenant.claim)
  }

  /**
   * Makes attempts until no delivery is due, or until the time is over; the last attempts may then be under way.
   * Returns whether it could begin none although deliveries are due.
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
      // Otherwise a response was recorded since the look, which may unblock another attempt.
      if (wasIdle && this.isIdle) return isBlocked && !hasBegun
      await this.open.changed()
      // If more deliveries wait, recording a dozen responses costs little more than recording one.
      if (begun.length > 1) await this.open.gathered(begun.length / 2, gatherMs)
    }
  }

  /** The dispatch is completed or postponed, so its lease is no longer extended. */
  release(): void {
    this.open.drop(this.tenant.claim)
  }

  /** Records the attempts under way and begins no others. */
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
      // The next dispatch may have waited for what was recorded here.
      await runTaskNow(db(), dispatchWebhooks.name, this.endpointId)
      wake()
    }
    if (this.failure) throw this.failure.error
  }

  private get isIdle(): boolean {
    return this.underWay.size === 0 && this.answered.length === 0 && !this.recording
  }

  /** Begins the next attempts, as far as there are places. */
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
      // A retry hours later belongs to the trace of its dispatch.
      const cause = delivery.attempts === 0 ? trace : null
      const made = await attempt(endpoint, { id: delivery.eventId, body }, cause)
      this.answered.push({ deliveryId: delivery.id, claim, before, isBeside, url: endpoint.url, ...made })
    } catch (error) {
      await this.putOff(claim, error)
    }
  }

  /** Records the responses so far, unless a recording is running: then they are recorded next. */
  private recordAnswered(): void {
    if (this.recording || this.answered.length === 0) return
    const made = this.answered.splice(0)
    this.recording = this.record(made)
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        // Release claims that could not be recorded too. A held claim would never end, and its attempt would never be
        // repeated.
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
      // The batch was rolled back; record the attempts one by one to isolate the failing one.
      for (const one of made) await this.record([one])
    }
  }

  /** Reports the ended deliveries to an advance of the clock. */
  private count(ended: readonly Pick<queue.Queued, 'isBeside'>[]): void {
    const beside = ended.filter(({ isBeside }) => isBeside).length
    if (ended.length > 0) this.open.ended({ own: ended.length - beside, beside })
  }

  /** Our own error, not the receiver's: the delivery is attempted again later, and this attempt does not count. */
  private async putOff(claim: TaskClaim, error: unknown): Promise<void> {
    this.open.drop(claim)
    log.error({ taskId: claim.taskId, error: shortError(error) }, 'a delivery failed')
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

/**
 * Begins the next attempts: first attempts in the order of the events, up to an event that must wait, and due retries.
 * Stops due deliveries of events that the endpoint no longer wants.
 */
async function beginNext(tx: Transaction, task: TaskContext, endpointId: string, room: number): Promise<Look> {
  const { sql, now, ...tenant } = tx
  // Another process may have taken the dispatch over.
  if ((await lockClaims(sql, [task.claim])).size === 0) return { ...nothing, isLast: true }
  const isStopped = task.moment !== undefined
  const { endpoint, isAdvancing, unanswered } = await queue.getReceiver(sql, endpointId)
  // While the clock is stopped, the dispatches of its advance deliver; afterwards the others do.
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

/** Returns the stopped deliveries: those that were neither claimed nor re-sent since they were read. */
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
