import { ownedBy, realNow, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import { isSigning } from './rules/previous-secret.ts'
import type { DeliveryStatus } from './rules/state.ts'
import { type Attempt, type Delivery, toDelivery, toEndpoint, type WebhookEndpoint } from './store.ts'

/** Events and deliveries for operators. */

/** For operators: the newest events of a storefront. */
export async function recentEvents(sql: Sql, storefrontId: string, testmode: boolean | undefined, limit: number) {
  const where = { storefront_id: storefrontId, ...(testmode !== undefined && { testmode }) }
  const rows = await sql.events.findMany({ where, orderBy: { id: 'desc' }, take: limit })
  return rows.map(({ id, name, testmode, entity_id, created_at }) => ({
    id,
    eventName: name,
    testmode,
    entityId: entity_id,
    createdAt: created_at,
  }))
}

/**
 * For operators: the endpoints of a storefront. `previousSecretUntil`: until when a replaced secret signs; null if no
 * replaced secret signs.
 */
export async function endpointsOf(sql: Sql, storefrontId: string, testmode: boolean | undefined) {
  const where = { storefront_id: storefrontId, deleted_at: null, ...(testmode !== undefined && { testmode }) }
  const rows = await sql.webhook_endpoints.findMany({ where, orderBy: { id: 'desc' } })
  return rows.map(toEndpoint).map(({ id, testmode, url, enabledEvents, previousSecret, createdAt }) => ({
    id,
    testmode,
    url,
    events: enabledEvents.length,
    previousSecretUntil: isSigning(previousSecret, realNow()) ? previousSecret.until : null,
    createdAt,
  }))
}

/** For operators: the newest deliveries of a storefront with their attempts. */
export async function recentDeliveries(sql: Sql, storefrontId: string, testmode: boolean | undefined, limit: number) {
  const where = { storefront_id: storefrontId, ...(testmode !== undefined && { testmode }) }
  const rows = await sql.deliveries.findMany({
    where,
    orderBy: { id: 'desc' },
    take: limit,
    include: { endpoint: { select: { url: true } }, log: { orderBy: { number: 'asc' } } },
  })
  return rows.map((row) => ({
    ...toDelivery(row),
    testmode: row.testmode,
    url: row.endpoint.url,
    log: row.log.map((attempt) => ({
      number: attempt.number,
      startedAt: attempt.started_at,
      durationMs: attempt.duration_ms,
      status: attempt.status,
      error: attempt.error,
    })),
  }))
}

/** Deliveries with the names of their events and the URLs of their endpoints, for a list of the admin area. */
export function pageOfDeliveries(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  { status, endpointId }: { status?: DeliveryStatus | undefined; endpointId?: string | undefined } = {},
): Promise<Page<ListedDelivery>> {
  return page(query, {
    own: ownedBy(tenant),
    one: (asked) => sql.deliveries.findFirst({ ...asked, select: { id: true } }),
    prefix: 'delivery_',
    filter: { ...(status && { status }), ...(endpointId && { endpoint_id: endpointId }) },
    find: async (asked) => withNames(sql, await sql.deliveries.findMany({ ...asked, include: withEndpoint })),
  })
}

type DeliveryRow = Parameters<typeof toDelivery>[0] & {
  readonly created_at: Date
  readonly endpoint: Parameters<typeof toEndpoint>[0]
}

async function withNames(sql: Sql, rows: readonly DeliveryRow[]): Promise<ListedDelivery[]> {
  const ids = rows.map(({ event_id }) => event_id)
  const events = await sql.events.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } })
  const names = new Map(events.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    ...toDelivery(row),
    createdAt: row.created_at,
    endpoint: toEndpoint(row.endpoint),
    eventName: names.get(row.event_id) ?? '',
  }))
}

/** The deliveries of the newest events of some entities, newest first; of at most `take` events of each entity. */
export async function newestDeliveries(
  sql: Sql,
  tenant: Tenant,
  entityIds: readonly string[],
  take: number,
): Promise<ListedDelivery[]> {
  const events = await Promise.all(
    entityIds.map((entity_id) =>
      sql.events.findMany({
        where: { ...ownedBy(tenant), entity_id },
        select: { id: true },
        orderBy: { id: 'desc' },
        take,
      }),
    ),
  )
  const event_id = { in: events.flat().map(({ id }) => id) }
  // The events are those of the tenant. A condition on the tenant, or an order, would make PostgreSQL read all deliveries.
  const rows = await sql.deliveries.findMany({ where: { event_id }, include: withEndpoint })
  rows.sort((a, b) => (a.id < b.id ? 1 : -1))
  return withNames(sql, rows.slice(0, take))
}

export interface ListedDelivery extends Delivery {
  readonly createdAt: Date
  readonly endpoint: WebhookEndpoint
  readonly eventName: string
}

const withEndpoint = { endpoint: true } as const

/** A delivery with its event's body and all its attempts, oldest first. */
export async function findDelivery(sql: Sql, tenant: Tenant, id: string) {
  const row = await sql.deliveries.findFirst({
    where: { id, ...ownedBy(tenant) },
    include: { ...withEndpoint, log: { orderBy: { number: 'asc' } } },
  })
  if (!row) return null
  const event = await sql.events.findUniqueOrThrow({
    where: { id: row.event_id },
    select: { name: true, body: true },
  })
  const log: Attempt[] = row.log.map(({ id, number, started_at, duration_ms, status, error, answer, signature }) => ({
    id,
    number,
    startedAt: started_at,
    durationMs: duration_ms,
    status,
    error,
    answer,
    signature,
  }))
  const endpoint = toEndpoint(row.endpoint)
  return { ...toDelivery(row), createdAt: row.created_at, endpoint, eventName: event.name, body: event.body, log }
}

/** The number of failed deliveries, at most `atMost`. */
export async function countFailedDeliveries(sql: Sql, tenant: Tenant, atMost: number): Promise<number> {
  const where = { ...ownedBy(tenant), status: 'failed' as const }
  return (await sql.deliveries.findMany({ where, select: { id: true }, orderBy: { id: 'desc' }, take: atMost })).length
}

/** The newest events of an entity, with their bodies. */
export async function eventsOf(sql: Sql, tenant: Tenant, entityId: string, take: number) {
  const where = { ...ownedBy(tenant), entity_id: entityId }
  const rows = await sql.events.findMany({ where, orderBy: { id: 'desc' }, take })
  return rows.map(({ id, name, body, created_at }) => ({ id, name, body, createdAt: created_at }))
}
