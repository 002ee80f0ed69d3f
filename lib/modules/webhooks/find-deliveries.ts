import { firstIdAt } from '../../kernel/ids.ts'
import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { emptyFragment, type Fragment, fragment } from '../../platform/db/fragment.ts'
import { ownCursor, type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import type { DeliveryStatus } from './rules/state.ts'
import { type Delivery, toDelivery, toEndpoint, type WebhookEndpoint } from './store.ts'

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined
  readonly endpointId?: string | undefined
  readonly eventName?: string | undefined
  readonly entityId?: string | undefined
}

export interface ListedDelivery extends Delivery {
  readonly createdAt: Date
  readonly endpoint: WebhookEndpoint
  readonly eventName: string
}

export function pageOfDeliveries(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  filter: DeliveryFilter = {},
): Promise<Page<ListedDelivery>> {
  const { status, endpointId, eventName, entityId } = filter
  if (eventName !== undefined || entityId !== undefined) return pageByEvent(sql, tenant, query, filter)
  return page(query, {
    own: ownedBy(tenant),
    one: (asked) => sql.deliveries.findFirst({ ...asked, select: { id: true } }),
    filter: { ...(status && { status }), ...(endpointId && { endpoint_id: endpointId }) },
    prefix: 'delivery_',
    find: async (asked) => listed(sql, await sql.deliveries.findMany({ ...asked, include: { endpoint: true } })),
  })
}

type Row = Parameters<typeof toDelivery>[0] & { endpoint: Parameters<typeof toEndpoint>[0] }

async function listed(sql: Sql, rows: readonly Row[]): Promise<ListedDelivery[]> {
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

export async function deliveriesOfEvent(sql: Sql, tenant: Tenant, eventId: string): Promise<ListedDelivery[]> {
  const where = { event_id: eventId, ...ownedBy(tenant) }
  return listed(sql, await sql.deliveries.findMany({ where, orderBy: { id: 'desc' }, include: { endpoint: true } }))
}

/** Returns at most `take` deliveries of the newest events of the entities, newest first. */
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
  // The query has no tenant condition and no sort order, because with them PostgreSQL would read all deliveries. The
  // event ids already limit the deliveries to the tenant.
  const rows = await sql.deliveries.findMany({ where: { event_id }, include: { endpoint: true } })
  rows.sort((a, b) => (a.id < b.id ? 1 : -1))
  return listed(sql, rows.slice(0, take))
}

interface Place {
  readonly id: string
  readonly event_id: string
}

/**
 * Deliveries do not store the event name, because an index of the names would slow down each insert. The query therefore
 * uses the indexes of the events or, for a status that few deliveries have, searches the deliveries first.
 */
async function pageByEvent(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery,
  filter: DeliveryFilter,
): Promise<Page<ListedDelivery>> {
  const { limit, endingBefore } = query
  const from = await ownCursor(query, (id) => placeOf(sql, tenant, id))
  const look = (place: Place | null, direction: 'older' | 'newer', most: number) =>
    sql.$queryRaw<Place[]>(statementOf(tenant, query, filter, { place, direction, most }))
  const direction = endingBefore === undefined ? 'older' : 'newer'
  const found = await look(from, direction, limit + 1)
  const places = found.slice(0, limit)
  if (direction === 'newer') places.reverse()
  const isMore = found.length > limit
  const edge = direction === 'older' ? places[0] : places.at(-1)
  const isBeyond =
    from !== null && edge !== undefined && (await look(edge, direction === 'older' ? 'newer' : 'older', 1)).length > 0
  const ids = places.map(({ id }) => id)
  const where = { id: { in: ids } }
  const rows = await sql.deliveries.findMany({ where, orderBy: { id: 'desc' }, include: { endpoint: true } })
  const byId = new Map((await listed(sql, rows)).map((row) => [row.id, row]))
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    next: direction === 'older' ? isMore : isBeyond,
    prev: direction === 'older' ? isBeyond : isMore,
  }
}

const placeOf = (sql: Sql, tenant: Tenant, id: string): Promise<Place | null> =>
  sql.deliveries.findFirst({ where: { id, ...ownedBy(tenant) }, select: { id: true, event_id: true } })

interface Look {
  readonly place: Place | null
  readonly direction: 'older' | 'newer'
  readonly most: number
}

const fewHave: readonly (DeliveryStatus | undefined)[] = ['pending', 'failed', 'stopped']

function statementOf(
  tenant: Tenant,
  { createdAfter, createdBefore }: PageQuery,
  { status, endpointId, eventName, entityId }: DeliveryFilter,
  { place, direction, most }: Look,
): Fragment {
  const order = direction === 'older' ? fragment`DESC` : fragment`ASC`
  const common = fragment`
    ${status ? fragment`AND d.status = ${status}` : emptyFragment}
    ${endpointId ? fragment`AND d.endpoint_id = ${endpointId}` : emptyFragment}
    ${eventName ? fragment`AND e.name = ${eventName}` : emptyFragment}
    ${createdAfter ? fragment`AND d.id >= ${firstIdAt('delivery_', createdAfter)}` : emptyFragment}
    ${createdBefore ? fragment`AND d.id < ${firstIdAt('delivery_', createdBefore)}` : emptyFragment}`
  if (entityId === undefined && fewHave.includes(status))
    return fragment`
      SELECT d.id, d.event_id FROM deliveries d
      CROSS JOIN LATERAL (SELECT name FROM events WHERE id = d.event_id OFFSET 0) e
      WHERE ${ownedRows(tenant, 'd')} ${common}
      ${place ? fragment`AND ${beyond(place.id, direction)}` : emptyFragment}
      ORDER BY d.id ${order} LIMIT ${most}::int`
  const own = ownedRows(tenant)
  // `OFFSET 0` makes PostgreSQL find the few events of an entity first, instead of reading all events in order.
  const events = entityId
    ? fragment`(SELECT id, name FROM events WHERE entity_id = ${entityId} AND ${own} OFFSET 0)`
    : fragment`(SELECT id, name FROM events WHERE ${own})`
  return fragment`
    SELECT d.id, d.event_id FROM ${events} e JOIN deliveries d ON d.event_id = e.id
    WHERE true ${common}
    ${createdAfter ? fragment`AND e.id >= ${firstIdAt('webhook_event_', createdAfter)}` : emptyFragment}
    ${createdBefore ? fragment`AND e.id < ${firstIdAt('webhook_event_', createdBefore)}` : emptyFragment}
    ${place ? fragment`${upTo(place.event_id, direction)} AND (e.id <> ${place.event_id} OR ${beyond(place.id, direction)})` : emptyFragment}
    ORDER BY e.id ${order}, d.id ${order} LIMIT ${most}::int`
}

const beyond = (id: string, direction: Look['direction']) =>
  direction === 'older' ? fragment`d.id < ${id}` : fragment`d.id > ${id}`

const upTo = (eventId: string, direction: Look['direction']) =>
  direction === 'older' ? fragment`AND e.id <= ${eventId}` : fragment`AND e.id >= ${eventId}`
