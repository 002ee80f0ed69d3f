import { ownedBy, realNow, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { isSigning } from './rules/previous-secret.ts'
import { type Attempt, toDelivery, toEndpoint } from './store.ts'

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

/** `previousSecretUntil` is the time until which deliveries are signed with the replaced secret too; null if no secret was replaced. */
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

const withEndpoint = { endpoint: true } as const

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

export async function countFailedDeliveries(sql: Sql, tenant: Tenant, atMost: number): Promise<number> {
  const where = { ...ownedBy(tenant), status: 'failed' as const }
  return (await sql.deliveries.findMany({ where, select: { id: true }, orderBy: { id: 'desc' }, take: atMost })).length
}

export async function eventsOf(sql: Sql, tenant: Tenant, entityId: string, take: number) {
  const where = { ...ownedBy(tenant), entity_id: entityId }
  const rows = await sql.events.findMany({ where, orderBy: { id: 'desc' }, take })
  return rows.map(({ id, name, body, caused_by, created_at }) => ({
    id,
    name,
    body,
    causedBy: caused_by,
    createdAt: created_at,
  }))
}
