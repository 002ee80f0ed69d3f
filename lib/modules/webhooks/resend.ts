import { invalid, Refusal } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { audited } from '../audit/audited.ts'
import { commandLine } from '../audit/command-line.ts'
import { deliverWebhook } from '../events/tasks.ts'
import { type Transaction, transact } from '../events/transact.ts'
import * as queue from './queue.ts'
import { mostMatchingSentAgain, mostSentAgain, sentAgainDays } from './rules/limits.ts'
import { parseSince } from './rules/since.ts'
import { deliveryStates } from './rules/state.ts'
import { wants } from './rules/wants.ts'
import * as store from './store.ts'

/**
 * Re-sends a delivery, which starts a new series of attempts. Without `call`, writes an audit entry whose actor is the
 * user of the command line. Throws `not_found`, or `validation_failed` on `delivery` if the endpoint was deleted or
 * disabled the event.
 */
export async function resendDelivery(
  id: string,
  call?: RequestContext,
): Promise<{ deliveryId: string; status: string }> {
  const tenant = await store.findTenantOfDelivery(db(), id)
  if (!tenant) throw new Refusal('not_found')
  const context = call ?? audited(tenant, commandLine(), { action: 'delivery.resend', subject: id })
  return transact(context, async ({ sql, now, enqueue }) => {
    const found = await store.lockDelivery(sql, id)
    if (!found) throw new Refusal('not_found')
    const { delivery, endpoint, eventName } = found
    if (endpoint.deleted) throw invalid('delivery', 'The endpoint of this delivery was deleted.')
    if (!wants(endpoint, eventName))
      throw invalid('delivery', `The endpoint is not subscribed to ${eventName}. Add the event to enabledEvents first.`)
    const status = delivery.status === 'pending' ? 'pending' : deliveryStates.on(delivery.status, 'resend')
    await store.saveDelivery(sql, { ...delivery, status, nextAttemptAt: now, failedAt: null })
    const data = { deliveryId: id, before: delivery.attempts }
    await enqueue(deliverWebhook, { key: id, data, dueAt: now, stream: endpoint.id })
    return { deliveryId: id, status }
  })
}

/**
 * Re-sends at most `mostSentAgain` deliveries that have failed since the entered time (UTC), earliest failure first. Skips disabled events. Throws `not_found`,
 * or `validation_failed` on `since`.
 */
export async function resendFailed(context: RequestContext, id: string, typed: string): Promise<{ count: number }> {
  return transact(context, async (tx) => {
    if (!(await store.findEndpoint(tx.sql, tx, id))) throw new Refusal('not_found')
    const since = parseSince(typed, tx.now)
    if (!since) throw invalid('since', ruleProblem('since_days', { days: sentAgainDays }))
    return sendAgain(tx, { endpointId: id, since }, mostSentAgain)
  })
}

export type MatchingFailed = Omit<queue.FailedFilter, 'since'>

/** Re-sends the matching deliveries that failed in the last `sentAgainDays` days, oldest first, at most `mostMatchingSentAgain`. Skips disabled events. */
export const resendMatching = (context: RequestContext, filter: MatchingFailed): Promise<{ count: number }> =>
  transact(context, (tx) => sendAgain(tx, { ...filter, since: earliest(tx.now) }, mostMatchingSentAgain))

const earliest = (now: Date) => new Date(now.getTime() - sentAgainDays * 24 * 3600 * 1000)

async function sendAgain(tx: Transaction, filter: queue.FailedFilter, most: number): Promise<{ count: number }> {
  const { sql, now, enqueueAll } = tx
  const failed = await queue.lockFailed(sql, tx, filter, most)
  const status = deliveryStates.on('failed', 'resend')
  await queue.saveAgain(
    sql,
    failed.map((delivery) => delivery.id),
    { status, now },
  )
  await enqueueAll(
    deliverWebhook,
    failed.map(({ id: key, attempts, endpointId }) => ({
      key,
      dueAt: now,
      stream: endpointId,
      data: { deliveryId: key, before: attempts },
    })),
  )
  return { count: failed.length }
}

/** Counts the deliveries that `resendFailed` can re-send. The result `mostSentAgain` + 1 means that more deliveries exist. */
export const countFailed = (tenant: Tenant, { id }: store.WebhookEndpoint): Promise<number> =>
  countOf(tenant, { endpointId: id }, mostSentAgain + 1)

/** Counts the deliveries that `resendMatching` can re-send. The result `mostMatchingSentAgain` + 1 means that more deliveries exist. */
export const countMatching = (tenant: Tenant, filter: MatchingFailed): Promise<number> =>
  countOf(tenant, filter, mostMatchingSentAgain + 1)

const countOf = async (tenant: Tenant, filter: MatchingFailed, most: number): Promise<number> =>
  queue.countFailed(db(), tenant, { ...filter, since: earliest(await clockNow(db(), tenant)) }, most)
