import { toWire } from '../../kernel/moment.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { insertRows, type Sql } from '../../platform/db/db.ts'
import { insertTasks } from '../../platform/jobs/tasks.ts'
import { nothing } from '../../platform/jobs/transact.ts'
import { type EventName, eventTypes } from './event-types.ts'
import { deliverWebhook } from './tasks.ts'

export interface Event {
  readonly name: EventName
  readonly object: { readonly id: string }
  readonly reason?: 'updated_immediately' | 'updated_on_renewal' | 'renewed' | 'change_reverted' | 'metadata_changed'
  /** The resource that the event is about, if it is not the event's object. For example, a chargeback event is about the order. */
  readonly entityId?: string
  readonly at?: Date
}

/**
 * Writes events in the transaction of the change, with a delivery and its task for each subscribed webhook endpoint.
 * Each event is delivered after the previous event. The first event is delivered after the event `after`; if `after` is
 * null, it waits for no event. If `after` is `nothing`, no event waits for another.
 */
export async function publish(
  sql: Sql,
  tenant: Tenant,
  now: Date,
  events: readonly Event[],
  after: string | null | typeof nothing,
): Promise<{ cause: string | null; deliveries: number }> {
  let cause = after === nothing ? null : after
  const rows = events.map((event) => {
    const row = rowOf(tenant, event.at ?? now, event, cause)
    if (after !== nothing) cause = row.causation_id
    return row
  })
  const names = [...new Set(rows.map(({ name }) => name))]
  const [, endpoints] = await Promise.all([
    insertRows(sql, 'events', rows),
    sql.webhook_endpoints.findMany({
      where: { ...ownedBy(tenant), deleted_at: null, enabled_events: { hasSome: names } },
      select: { id: true, enabled_events: true },
      orderBy: { id: 'asc' },
    }),
  ])
  const deliveries = rows.flatMap((row) =>
    endpoints
      .filter((endpoint) => endpoint.enabled_events.includes(row.name))
      .map((endpoint) => ({
        id: newId('delivery_', row.created_at),
        ...ownedBy(tenant),
        event_id: row.id,
        endpoint_id: endpoint.id,
        entity_id: row.entity_id,
        causation_id: row.causation_id,
        status: 'pending' as const,
        attempts: 0,
        started_at: null,
        first_answered_at: null,
        failed_at: null,
        next_attempt_at: row.created_at,
        created_at: row.created_at,
      })),
  )
  const tasks = deliveries.map(({ id, endpoint_id, created_at }) => ({
    key: id,
    stream: endpoint_id,
    data: { deliveryId: id, before: 0 },
    dueAt: created_at,
  }))
  if (deliveries.length > 0)
    await Promise.all([insertRows(sql, 'deliveries', deliveries), insertTasks(sql, tenant, now, deliverWebhook, tasks)])
  return { cause, deliveries: deliveries.length }
}

function rowOf(tenant: Tenant, now: Date, event: Event, cause: string | null) {
  const id = newId('webhook_event_', now)
  const entityType = eventTypes[event.name]
  const entityId = event.entityId ?? event.object.id
  const body = JSON.stringify({
    id,
    resource: 'webhook_event',
    eventName: event.name,
    reason: event.reason ?? null,
    entityType,
    entityId,
    testmode: tenant.testmode,
    createdAt: toWire(now),
    object: event.object,
    links: { self: { href: `${config().publicBaseUrl}/v1/webhook-events/${id}`, type: 'application/json' } },
  })
  return {
    id,
    ...ownedBy(tenant),
    name: event.name,
    entity_type: entityType,
    entity_id: entityId,
    causation_id: cause ?? id,
    caused_by: tenant.by ?? 'service',
    body,
    created_at: now,
  }
}
