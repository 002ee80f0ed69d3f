import { realNow, secondAhead } from '../../platform/clock/clock.ts'
import { Reschedule, snoozeTask, type TaskContext } from '../../platform/jobs/tasks.ts'
import { withoutCompletion } from '../../platform/jobs/transact.ts'
import { DeliveryError, type Reply } from '../../platform/outbound/outbound-http.ts'
import { deliverWebhook } from '../events/tasks.ts'
import { type Transaction, transact } from '../events/transact.ts'
import { notifyMembers } from '../operators/notify-members.ts'
import { postEvent } from './post.ts'
import { deliveryTimeoutMs } from './rules/limits.ts'
import { nextWait, retryAfterSeconds } from './rules/schedule.ts'
import { deliveryStates } from './rules/state.ts'
import { wants } from './rules/wants.ts'
import * as store from './store.ts'

/**
 * How long a delivery that must wait is snoozed unless something wakes it. The delivery that it waits for wakes it when
 * its turn comes. These delays cover what is then still in the way, and are long where many may wait, so that a dead
 * endpoint costs little.
 */
const waits = {
  answer: { ms: 30_000, mostMs: 30_000 },
  turn: { ms: 600_000, mostMs: 600_000 },
  place: { ms: 1_000, mostMs: 300_000 },
} as const
const atOncePerEndpoint = 4
/** Running attempts of this process, by endpoint. */
const underWay = new Map<string, number>()

/**
 * One attempt: begun in one transaction, made outside any, recorded in another. If the process dies in between, the
 * task remains, and the attempt is made again: a receiver may get an event twice, but never misses one.
 */
export async function attemptDelivery(
  tenant: TaskContext,
  { deliveryId, before }: { deliveryId: string; before: number },
): Promise<void> {
  const place = new DeliverySlot()
  try {
    const begun = await transact(withoutCompletion(tenant), (tx) => begin(tx, tenant, deliveryId, place))
    if (begun === 'later') return
    if (begun === 'over') {
      await transact(tenant, async () => undefined)
      return
    }
    const { endpoint, delivery, body } = begun
    const startedAt = realNow()
    const reply = await postEvent(endpoint, { id: delivery.eventId, body }, deliveryTimeoutMs).catch(
      (error: unknown) => {
        if (error instanceof DeliveryError) return error
        throw error
      },
    )
    place.free()
    const durationMs = realNow().getTime() - startedAt.getTime()
    const made = { before, url: endpoint.url, startedAt, durationMs }
    await transact(tenant, (tx) => record(tx, deliveryId, reply, made))
  } finally {
    place.free()
  }
}

/** One of the few slots for concurrent attempts to an endpoint. */
class DeliverySlot {
  private endpointId: string | null = null

  /** Taken before the first await, so that concurrent attempts do not all find it free. */
  take(endpointId: string): boolean {
    if (this.endpointId === endpointId) return true
    const taken = underWay.get(endpointId) ?? 0
    if (taken >= atOncePerEndpoint) return false
    underWay.set(endpointId, taken + 1)
    this.endpointId = endpointId
    return true
  }

  free(): void {
    if (this.endpointId === null) return
    const left = (underWay.get(this.endpointId) ?? 1) - 1
    if (left === 0) underWay.delete(this.endpointId)
    else underWay.set(this.endpointId, left)
    this.endpointId = null
  }
}

type Begun = { delivery: store.Delivery; endpoint: store.WebhookEndpoint; body: string }

async function begin(
  tx: Transaction,
  { claim }: TaskContext,
  deliveryId: string,
  place: DeliverySlot,
): Promise<Begun | 'later' | 'over'> {
  const { sql, now } = tx
  const found = await store.lockDelivery(sql, deliveryId)
  if (found?.delivery.status !== 'pending') return 'over'
  const { delivery, endpoint, eventName } = found
  if (!wants(endpoint, eventName)) {
    const status = deliveryStates.on(delivery.status, 'stop', 'illegal_move')
    await store.saveDelivery(sql, { ...delivery, status, nextAttemptAt: null })
    await runNext(tx, endpoint.id)
    return 'over'
  }
  const earlier = delivery.startedAt === null ? await store.blockedBy(sql, delivery) : null
  const missing = earlier ?? (place.take(endpoint.id) ? null : 'place')
  if (missing) {
    await snoozeTask(sql, claim, waits[missing])
    return 'later'
  }
  if (delivery.startedAt === null) {
    await store.saveDelivery(sql, { ...delivery, startedAt: now })
    await runNext(tx, endpoint.id)
  }
  return found
}

async function record(
  tx: Transaction,
  deliveryId: string,
  reply: Reply | DeliveryError,
  { before, url, ...timing }: { before: number; url: string; startedAt: Date; durationMs: number },
): Promise<Reschedule | undefined> {
  const { sql, now, newId } = tx
  const found = await store.lockDelivery(sql, deliveryId)
  if (!found) return undefined
  const { delivery, endpoint, eventName } = found
  const number = delivery.attempts + 1
  const answered =
    reply instanceof DeliveryError
      ? { status: null, error: reply.message, answer: null }
      : { status: reply.status, error: null, answer: reply.text }
  await store.insertAttempt(sql, deliveryId, { id: newId('attempt_'), number, ...timing, ...answered })

  const next: store.Delivery = {
    ...delivery,
    attempts: number,
    firstAnsweredAt: delivery.firstAnsweredAt ?? now,
    nextAttemptAt: null,
  }
  let again: Date | null = null
  if (delivery.status === 'pending') {
    const succeeded = answered.status !== null && answered.status >= 200 && answered.status <= 299
    const gone = answered.status === 410
    const stops = gone || !wants(endpoint, eventName)
    const asked = reply instanceof DeliveryError ? null : retryAfterSeconds(reply.retryAfter, realNow())
    const wait = succeeded || stops ? null : nextWait(number - before, Math.random(), asked)
    if (gone && (await store.disableEndpoint(sql, endpoint.id, url)))
      await notifyMembers(tx, { kind: 'endpoint_disabled', host: new URL(url).host }, `/endpoints/${endpoint.id}`)
    again = wait === null ? null : new Date((await secondAhead(sql, tx)).getTime() + wait * 1000)
    const trigger = succeeded ? 'deliver' : stops ? 'stop' : 'giveUp'
    const status = again ? delivery.status : deliveryStates.on(delivery.status, trigger, 'illegal_move')
    await store.saveDelivery(sql, { ...next, status, nextAttemptAt: again })
  } else {
    await store.saveDelivery(sql, next)
  }
  await runNext(tx, endpoint.id)
  return again ? new Reschedule(again) : undefined
}

/** The next event of the endpoint may have waited for this one. */
async function runNext(tx: Transaction, endpointId: string): Promise<void> {
  const next = await store.lockNextUnstarted(tx.sql, endpointId)
  if (next) await tx.runNow(deliverWebhook, next)
}
