import { z } from 'zod'
import { toWire } from '../kernel/moment.ts'
import { type Scope, whose } from './clock.ts'
import { config } from './config.ts'
import type { Sql } from './db.ts'
import { type EventName, eventTypes } from './events.ts'
import { newId } from './identity.ts'
import { putTask, task } from './tasks.ts'

/** What happened: the event's name and the resource exactly as GET shows it after the change. */
export interface Event {
  readonly name: EventName
  readonly object: { readonly id: string }
  readonly reason?: 'updated_immediately' | 'updated_on_renewal' | 'renewed'
  /** Where the event is about another thing than its object (a chargeback tells of its order). */
  readonly entityId?: string
}

/**
 * One attempt to hand one event to one endpoint; the webhooks noun does it. `before` is how many attempts were made when
 * this series of them began: a re-send begins another one.
 */
export const deliver = task('webhook.deliver', z.object({ deliveryId: z.string(), before: z.int().default(0) }))

/**
 * Writes an event, one delivery for each endpoint that is subscribed at this moment, and their tasks, in the transaction
 * of the change. `cause` is the first event of the same transaction: what follows from it is delivered after it.
 */
export async function publish(
  sql: Sql,
  scope: Scope,
  now: Date,
  event: Event,
  firstOfTransaction: string | null,
): Promise<{ cause: string; deliveries: number }> {
  const id = newId('webhook_event_', now)
  const cause = firstOfTransaction ?? id
  const entityType = eventTypes[event.name]
  const entityId = event.entityId ?? event.object.id
  const body = JSON.stringify({
    id,
    resource: 'webhook_event',
    eventName: event.name,
    reason: event.reason ?? null,
    entityType,
    entityId,
    testmode: scope.testmode,
    createdAt: toWire(now),
    object: event.object,
    links: { self: { href: `${config().publicBaseUrl}/v1/webhook-events/${id}`, type: 'application/json' } },
  })
  const row = {
    id,
    ...whose(scope),
    name: event.name,
    entity_type: entityType,
    entity_id: entityId,
    cause,
    body,
    created_at: now,
  }
  await sql.events.create({ data: row, select: { id: true } })

  const endpoints = await sql.webhook_endpoints.findMany({
    where: { ...whose(scope), deleted_at: null, enabled_events: { has: event.name } },
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  for (const endpoint of endpoints) {
    const deliveryId = newId('delivery_', now)
    const delivery = {
      id: deliveryId,
      ...whose(scope),
      event_id: id,
      endpoint_id: endpoint.id,
      entity_id: entityId,
      cause,
    }
    await sql.deliveries.create({
      data: { ...delivery, status: 'pending', next_attempt_at: now, created_at: now },
      select: { id: true },
    })
    await putTask(sql, scope, now, deliver, { key: deliveryId, data: { deliveryId, before: 0 }, dueAt: now })
  }
  return { cause, deliveries: endpoints.length }
}
