import { realNow, secondAhead } from '../../platform/clock/clock.ts'
import { insertRows, updateRows } from '../../platform/db/db.ts'
import { rescheduleTasks } from '../../platform/jobs/claims.ts'
import { completion, type TaskClaim } from '../../platform/jobs/tasks.ts'
import { DeliveryError, type Reply } from '../../platform/outbound/outbound-http.ts'
import type { Transaction } from '../events/transact.ts'
import { notifyMembers } from '../operators/notify-members.ts'
import { countAttempts } from './health.ts'
import * as queue from './queue.ts'
import { nextWait, retryAfterSeconds } from './rules/retry-delays.ts'
import { deliveryStates } from './rules/state.ts'
import { wants } from './rules/wants.ts'
import * as store from './store.ts'

export interface Attempted {
  readonly deliveryId: string
  readonly claim: TaskClaim
  /** The number of attempts before the last re-send, which starts a new series of attempts. 0 without a re-send. */
  readonly before: number
  readonly isBeside: boolean
  readonly url: string
  readonly startedAt: Date
  readonly durationMs: number
  /** The header Service-Signature as it was sent; null if no request was sent. */
  readonly signature: string | null
  readonly reply: Reply | DeliveryError
}

/**
 * Stores the attempts, updates their deliveries, and completes or reschedules their tasks. Disables an endpoint that responded with 410.
 * Ignores an attempt whose task has a newer claim. Returns the stored attempts.
 */
export async function recordAttempts(tx: Transaction, made: readonly Attempted[]): Promise<readonly Attempted[]> {
  if (made.length === 0) return []
  const { sql } = tx
  const locked = await queue.lockClaimed(
    sql,
    made.map(({ claim }) => claim),
  )
  const found = made.flatMap((attempted) => {
    const own = locked.get(attempted.claim.taskId)
    return own ? [{ attempted, ...own }] : []
  })
  if (found.length === 0) return []
  for (const { attempted, delivery } of found)
    if (isGone(attempted)) await switchOff(tx.at(attempted.claim), delivery, attempted)
  const failed = found.filter(({ attempted }) => !isSuccess(attempted))
  const endpoints = await queue.findEndpoints(
    sql,
    failed.map(({ delivery }) => delivery.endpointId),
  )
  const ahead = failed.length > 0 ? await secondAhead(sql, tx) : tx.now
  const outcomes = found.map(({ attempted, delivery, eventName }) => {
    const endpoint = endpoints.get(delivery.endpointId)
    const isWanted = endpoint !== undefined && wants(endpoint, eventName)
    const now = tx.at(attempted.claim).now
    return {
      attempted,
      delivery: outcomeOf(attempted, delivery, { isWanted, now, ahead: attempted.claim.moment?.at ?? ahead }),
    }
  })
  const rows = outcomes.map(({ attempted, delivery }) => rowOf(tx.at(attempted.claim), attempted, delivery.attempts))
  await insertRows(sql, 'delivery_attempts', rows)
  await countAttempts(
    sql,
    tx,
    outcomes.map(({ attempted, delivery }, index) => ({
      attemptId: rows[index]?.id ?? '',
      endpointId: delivery.endpointId,
      startedAt: attempted.startedAt,
      isSuccess: isSuccess(attempted),
    })),
  )
  await saveAll(tx, outcomes)
  return found.map(({ attempted }) => attempted)
}

const isSuccess = ({ reply }: Attempted): boolean =>
  !(reply instanceof DeliveryError) && reply.status >= 200 && reply.status <= 299

const isGone = ({ reply }: Attempted): boolean => !(reply instanceof DeliveryError) && reply.status === 410

async function switchOff(tx: Transaction, { endpointId }: store.Delivery, { url }: Attempted): Promise<void> {
  const hadEvents = await store.disableEndpoint(tx.sql, endpointId, url)
  if (!hadEvents) return
  await notifyMembers(tx, { kind: 'endpoint_disabled', host: new URL(url).host }, `/endpoints/${endpointId}`)
}

/**
 * Returns the delivery after an attempt. `ahead` is the time on the delivery's clock from which the wait for the next
 * attempt is counted.
 */
function outcomeOf(
  attempted: Attempted,
  delivery: store.Delivery,
  { isWanted, now, ahead }: { isWanted: boolean; now: Date; ahead: Date },
): store.Delivery {
  const { reply, before } = attempted
  const attempts = delivery.attempts + 1
  const next = { ...delivery, attempts, firstAttemptEndedAt: delivery.firstAttemptEndedAt ?? now, nextAttemptAt: null }
  if (delivery.status !== 'pending') return next
  const stops = isGone(attempted) || !isWanted
  const asked = reply instanceof DeliveryError ? null : retryAfterSeconds(reply.retryAfter, realNow())
  const wait = isSuccess(attempted) || stops ? null : nextWait(attempts - before, Math.random(), asked)
  if (wait !== null) return { ...next, nextAttemptAt: new Date(ahead.getTime() + wait * 1000) }
  const trigger = isSuccess(attempted) ? 'deliver' : stops ? 'stop' : 'giveUp'
  const status = deliveryStates.on(delivery.status, trigger)
  return { ...next, status, failedAt: status === 'failed' ? now : null }
}

const rowOf = (
  { newId }: Transaction,
  { deliveryId, startedAt, durationMs, signature, reply }: Attempted,
  number: number,
) => ({
  id: newId('attempt_'),
  delivery_id: deliveryId,
  number,
  started_at: startedAt,
  duration_ms: durationMs,
  signature,
  ...(reply instanceof DeliveryError
    ? { status: null, error: reply.message, answer: null }
    : { status: reply.status, error: null, answer: reply.text }),
})

async function saveAll(
  { sql, ...tenant }: Transaction,
  outcomes: readonly { attempted: Attempted; delivery: store.Delivery }[],
): Promise<void> {
  const rows = outcomes.map(({ delivery: { id, status, attempts, firstAttemptEndedAt, nextAttemptAt, failedAt } }) => ({
    id,
    status,
    attempts,
    first_answered_at: firstAttemptEndedAt,
    next_attempt_at: nextAttemptAt,
    failed_at: failedAt,
  }))
  await updateRows(sql, 'deliveries', rows)
  const again = outcomes.flatMap(({ attempted: { claim }, delivery: { nextAttemptAt } }) =>
    nextAttemptAt ? [{ claim, dueAt: nextAttemptAt }] : [],
  )
  const over = outcomes.flatMap(({ attempted: { claim }, delivery: { nextAttemptAt } }) =>
    nextAttemptAt ? [] : [claim],
  )
  await rescheduleTasks(sql, tenant, again)
  if (over.length > 0) await sql.$executeRaw(completion(over))
}
