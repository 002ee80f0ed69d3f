import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { inSteps } from '../../platform/db/in-steps.ts'
import { type Page, type PageQuery, page } from '../../platform/http/paging.ts'
import { attemptsKeptDays } from './rules/limits.ts'
import type { DeliveryStatus } from './rules/state.ts'
import { normalizedUrl } from './rules/url.ts'

export interface WebhookEndpoint {
  readonly id: string
  readonly testmode: boolean
  readonly url: string
  readonly enabledEvents: readonly string[]
  /** The secret is decrypted only to sign, so that an endpoint with an unreadable secret can be read, changed, and deleted. */
  readonly sealedSecret: Uint8Array<ArrayBuffer>
  /** The replaced secret. `until` is the real time until which deliveries are signed with both secrets. */
  readonly previousSecret: PreviousSecret | null
  readonly createdAt: Date
  readonly deleted: boolean
}

interface PreviousSecret {
  readonly sealed: Uint8Array<ArrayBuffer>
  readonly until: Date
}

export interface Delivery {
  readonly id: string
  readonly eventId: string
  readonly endpointId: string
  readonly entityId: string
  readonly causationId: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly startedAt: Date | null
  /** The end of the first attempt, with or without a response of the receiver. */
  readonly firstAttemptEndedAt: Date | null
  readonly nextAttemptAt: Date | null
  /** `failedAt` is the time at which the last attempt failed; null unless the status is `failed`. */
  readonly failedAt: Date | null
}

export interface Attempt {
  readonly id: string
  readonly number: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
  /** The header Service-Signature as it was sent; null if no request was sent. */
  readonly signature: string | null
}

export async function findEndpoint(sql: Sql, tenant: Tenant, id: string): Promise<WebhookEndpoint | null> {
  const row = await sql.webhook_endpoints.findFirst({ where: { id, ...ownedBy(tenant), deleted_at: null } })
  return row && toEndpoint(row)
}

export async function lockEndpoint(sql: Sql, tenant: Tenant, id: string): Promise<WebhookEndpoint | null> {
  await sql.$queryRaw`SELECT 1 FROM webhook_endpoints WHERE id = ${id} FOR NO KEY UPDATE`
  return findEndpoint(sql, tenant, id)
}

export async function takenEndpoints(sql: Sql, tenant: Tenant): Promise<{ id: string; slot: number; url: string }[]> {
  const rows = await sql.webhook_endpoints.findMany({ where: { ...ownedBy(tenant), deleted_at: null } })
  return rows.map(({ id, slot, url }) => ({ id, slot: slot ?? 0, url: normalizedUrl(url) }))
}

/** Inserts an endpoint. It receives only events that occur after `now`, the time of the transaction. */
export async function insertEndpoint(
  sql: Sql,
  tenant: Tenant,
  endpoint: WebhookEndpoint,
  { slot, now }: { slot: number; now: Date },
): Promise<void> {
  const { id, url, enabledEvents, sealedSecret, createdAt } = endpoint
  await sql.webhook_endpoints.create({
    data: {
      id,
      ...ownedBy(tenant),
      slot,
      url,
      claimed_url: normalizedUrl(url),
      sealed_secret: sealedSecret,
      enabled_events: [...enabledEvents],
      enabled_since: now,
      created_at: createdAt,
    },
  })
}

/**
 * `before` is the stored state before the change. `enabledSince` is the time of the change if the request sets the
 * enabled events; otherwise undefined.
 */
export async function saveEndpoint(
  sql: Sql,
  { id, url, enabledEvents, sealedSecret, previousSecret }: WebhookEndpoint,
  { before, enabledSince }: { before: WebhookEndpoint; enabledSince: Date | undefined },
): Promise<void> {
  const data = {
    // An unchanged URL is not normalized again. Otherwise, after a change of the normalization rules, its form could
    // equal the form of another URL, and the unique index would refuse the update.
    ...(url !== before.url && { url, claimed_url: normalizedUrl(url) }),
    sealed_secret: sealedSecret,
    previous_secret: previousSecret?.sealed ?? null,
    previous_secret_until: previousSecret?.until ?? null,
    enabled_events: [...enabledEvents],
    ...(enabledSince && { enabled_since: enabledSince }),
  }
  await sql.webhook_endpoints.update({ where: { id }, data })
}

/** Disables all events of the endpoint, unless the URL has changed or the endpoint was deleted. Returns whether it disabled any event. */
export async function disableEndpoint(sql: Sql, id: string, url: string): Promise<boolean> {
  const where = { id, url, deleted_at: null, enabled_events: { isEmpty: false } }
  return (await sql.webhook_endpoints.updateMany({ where, data: { enabled_events: [] } })).count === 1
}

export async function clearPreviousSecret(sql: Sql, id: string): Promise<void> {
  await sql.webhook_endpoints.update({ where: { id }, data: noPreviousSecret })
}

const noPreviousSecret = { previous_secret: null, previous_secret_until: null }

export async function deleteOldSecrets(sql: Sql): Promise<void> {
  await sql.$executeRaw`
    UPDATE webhook_endpoints SET previous_secret = NULL, previous_secret_until = NULL
    WHERE previous_secret_until <= (SELECT clock_timestamp())`
}

/** Marks an endpoint as deleted. The row stays, because deliveries refer to it. The slot and the URL become free. */
export async function deleteEndpoint(sql: Sql, id: string, now: Date): Promise<void> {
  await sql.webhook_endpoints.update({
    where: { id },
    data: { slot: null, claimed_url: null, enabled_events: [], deleted_at: now, ...noPreviousSecret },
  })
}

export function pageOfEndpoints(sql: Sql, tenant: Tenant, query: PageQuery): Promise<Page<WebhookEndpoint>> {
  return page(query, {
    own: { ...ownedBy(tenant), deleted_at: null },
    one: (asked) => sql.webhook_endpoints.findFirst({ ...asked, select: { id: true } }),
    filter: {},
    find: async (asked) => (await sql.webhook_endpoints.findMany(asked)).map(toEndpoint),
  })
}

export function pageOfEvents(
  sql: Sql,
  tenant: Tenant,
  query: PageQuery & { eventName?: string | undefined; entityId?: string | undefined },
): Promise<Page<{ id: string; body: string }>> {
  const { eventName, entityId } = query
  return page(query, {
    own: ownedBy(tenant),
    one: (asked) => sql.events.findFirst({ ...asked, select: { id: true } }),
    filter: {
      ...(eventName !== undefined && { name: eventName }),
      ...(entityId !== undefined && { entity_id: entityId }),
    },
    prefix: 'webhook_event_',
    find: (asked) => sql.events.findMany({ ...asked, select: { id: true, body: true } }),
  })
}

export async function eventBody(sql: Sql, tenant: Tenant, id: string): Promise<string | null> {
  const row = await sql.events.findFirst({ where: { id, ...ownedBy(tenant) }, select: { body: true } })
  return row?.body ?? null
}

/** Locks the delivery, so that no other transaction re-sends it or records an attempt. */
export async function lockDelivery(sql: Sql, id: string) {
  await sql.$queryRaw`SELECT 1 FROM deliveries WHERE id = ${id} FOR UPDATE`
  const row = await sql.deliveries.findUnique({ where: { id }, include: { endpoint: true } })
  if (!row) return null
  const event = await sql.events.findUniqueOrThrow({ where: { id: row.event_id }, select: { name: true, body: true } })
  return { delivery: toDelivery(row), endpoint: toEndpoint(row.endpoint), eventName: event.name, body: event.body }
}

export async function saveDelivery(sql: Sql, delivery: Delivery): Promise<void> {
  const { status, attempts, startedAt, firstAttemptEndedAt, nextAttemptAt, failedAt } = delivery
  await sql.deliveries.update({
    where: { id: delivery.id },
    data: {
      status,
      attempts,
      started_at: startedAt,
      first_answered_at: firstAttemptEndedAt,
      next_attempt_at: nextAttemptAt,
      failed_at: failedAt,
    },
  })
}

export async function findTenantOfDelivery(sql: Sql, id: string): Promise<Tenant | null> {
  const row = await sql.deliveries.findUnique({ where: { id }, select: { storefront_id: true, testmode: true } })
  return row && { storefrontId: row.storefront_id, testmode: row.testmode }
}

export async function findTenantOfEndpoint(sql: Sql, id: string): Promise<Tenant | null> {
  const select = { storefront_id: true, testmode: true } as const
  const row = await sql.webhook_endpoints.findFirst({ where: { id, deleted_at: null }, select })
  return row && { storefrontId: row.storefront_id, testmode: row.testmode }
}

export type EndpointRow = Awaited<ReturnType<Sql['webhook_endpoints']['findUniqueOrThrow']>>
export type DeliveryRow = Awaited<ReturnType<Sql['deliveries']['findUniqueOrThrow']>>

export const toEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  testmode: row.testmode,
  url: row.url,
  enabledEvents: row.enabled_events,
  sealedSecret: row.sealed_secret,
  previousSecret:
    row.previous_secret && row.previous_secret_until
      ? { sealed: row.previous_secret, until: row.previous_secret_until }
      : null,
  createdAt: row.created_at,
  deleted: row.deleted_at !== null,
})

export const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  eventId: row.event_id,
  endpointId: row.endpoint_id,
  entityId: row.entity_id,
  causationId: row.causation_id,
  status: row.status,
  attempts: row.attempts,
  startedAt: row.started_at,
  firstAttemptEndedAt: row.first_answered_at,
  nextAttemptAt: row.next_attempt_at,
  failedAt: row.failed_at,
})

export const deleteOldAttempts = (sql: Sql): Promise<number> =>
  inSteps(
    (limit) => sql.$executeRaw`
      DELETE FROM delivery_attempts WHERE id = ANY(ARRAY(
        SELECT id FROM delivery_attempts WHERE started_at < (SELECT clock_timestamp()) - ${attemptsKeptDays}::int * interval '1 day'
        ORDER BY started_at LIMIT ${limit}::int))`,
  )
