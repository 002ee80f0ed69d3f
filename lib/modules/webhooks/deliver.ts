import { snoozeTask, type TaskContext } from '../../platform/jobs/tasks.ts'
import { withoutCompletion } from '../../platform/jobs/transact.ts'
import { deliverWebhook } from '../events/tasks.ts'
import { type Transaction, transact } from '../events/transact.ts'
import { attempt } from './attempt.ts'
import { recordAttempts } from './record.ts'
import { deliveryStates } from './rules/state.ts'
import { wants } from './rules/wants.ts'
import * as store from './store.ts'

/**
 * How long a waiting delivery is snoozed unless something wakes it. The delivery before it wakes it. These delays are
 * for the remaining cases, and are long if many may wait, so that a dead endpoint costs little.
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
 * One attempt of a single delivery, for the advance of a test clock, which runs each at its own time. One transaction
 * begins the attempt, the request is sent outside a transaction, and another transaction records it. If the process
 * dies in between, the task remains and the attempt is repeated: a receiver may get an event twice, but never misses
 * one.
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
    const made = await attempt(endpoint, { id: delivery.eventId, body })
    place.free()
    await transact(withoutCompletion(tenant), async (tx) => {
      await recordAttempts(tx, [{ deliveryId, claim: tenant.claim, before, url: endpoint.url, ...made }])
      await runNext(tx, endpoint.id)
    })
  } finally {
    place.free()
  }
}

/** One of the few slots for concurrent attempts to an endpoint. */
class DeliverySlot {
  private endpointId: string | null = null

  /** Taken before the first await, so that two concurrent attempts cannot take the last slot. */
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
    const status = deliveryStates.on(delivery.status, 'stop')
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

/** Wakes the next event of the endpoint, which may have waited for this one. */
async function runNext(tx: Transaction, endpointId: string): Promise<void> {
  const next = await store.lockNextUnstarted(tx.sql, endpointId)
  if (next) await tx.runNow(deliverWebhook, next)
}
