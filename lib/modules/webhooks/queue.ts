import type { Tenant } from '../../platform/clock/clock.ts'
import { allColumns } from '../../platform/db/columns.ts'
import type { Sql } from '../../platform/db/db.ts'
import { aheadOf, type TaskClaim } from '../../platform/jobs/tasks.ts'
import { deliverWebhook } from '../events/tasks.ts'
import type { Unstarted } from './rules/next.ts'
import type { DeliveryStatus } from './rules/state.ts'
import {
  type Delivery,
  type DeliveryRow,
  type EndpointRow,
  toDelivery,
  toEndpoint,
  type WebhookEndpoint,
} from './store.ts'

/** The deliveries to one endpoint that wait, as its dispatch takes them; and many deliveries at once. */

/** A delivery that waits, with its task as it was last seen. */
export interface Queued extends Unstarted {
  readonly delivery: Delivery
  readonly eventName: string
  /** The bytes to send; null if they were not asked for. */
  readonly body: string | null
  /** Attempts before the current series. */
  readonly before: number
  /** What it follows from, in a trace. */
  readonly trace: string | null
  readonly claim: TaskClaim
}

interface QueuedRow extends DeliveryRow {
  readonly event_name: string
  readonly body: string | null
  readonly before: number
  readonly trace: string | null
  readonly task_id: string
  readonly claim_version: number
  readonly run_at: Date
  readonly is_ready: boolean
}

/** What a dispatch must know of its endpoint before it begins an attempt. */
export interface Receiver {
  readonly endpoint: WebhookEndpoint
  /** Whether the clock is being advanced: then the advance delivers. */
  readonly isAdvancing: boolean
  /** The deliveries whose first attempt is under way, or was until its process died. */
  readonly unanswered: readonly Pick<Unstarted, 'entityId' | 'causationId'>[]
}

const endpointColumns = allColumns('webhook_endpoints', 'w')
const deliveryColumns = allColumns('deliveries', 'd')

export async function getReceiver(sql: Sql, endpointId: string): Promise<Receiver> {
  const [row] = await sql.$queryRaw<
    (EndpointRow & { is_advancing: boolean; unanswered: { entityId: string; causationId: string }[] })[]
  >`
    SELECT ${endpointColumns}, w.testmode AND EXISTS (
        SELECT 1 FROM clocks WHERE clocks.storefront_id = w.storefront_id AND advancing_to IS NOT NULL) AS is_advancing,
      coalesce((SELECT json_agg(json_build_object('entityId', entity_id, 'causationId', causation_id)) FROM deliveries
        WHERE endpoint_id = w.id AND status = 'pending' AND started_at IS NOT NULL AND first_answered_at IS NULL), '[]') AS unanswered
    FROM webhook_endpoints w WHERE w.id = ${endpointId}`
  if (!row) throw new Error(`there is no webhook endpoint ${endpointId}`)
  return { endpoint: toEndpoint(row), isAdvancing: row.is_advancing, unanswered: row.unanswered }
}

// The time is read in a query of its own, once: only then can an index be searched for it. The task of each delivery is
// looked up alone (`OFFSET 0`): in a join with the tasks, PostgreSQL reads all that wait for each delivery where its
// statistics are of a moment at which no webhook waited.

/**
 * The next deliveries of an endpoint, up to `most` of each kind: those that were not attempted yet, in the order of
 * their events, due or not; and those that are due to be attempted again, the longest due first.
 */
export async function findNext(
  sql: Sql,
  tenant: Tenant,
  endpointId: string,
  { most, withBody }: { most: number; withBody: boolean },
): Promise<{ unstarted: Queued[]; retries: Queued[] }> {
  const ahead = aheadOf(tenant.testmode ? 'storefront' : 'real', tenant)
  const rows = await sql.$queryRaw<QueuedRow[]>`
    SELECT ${deliveryColumns}, e.name AS event_name, CASE WHEN ${withBody}::boolean THEN e.body END AS body,
      coalesce((t.data ->> 'before')::int, 0) AS before, t.id AS task_id, t.claim_version, t.run_at, t.trace,
      t.run_at <= clock_timestamp() AS is_ready
    FROM (
      (SELECT ${deliveryColumns} FROM deliveries d WHERE endpoint_id = ${endpointId} AND status = 'pending' AND started_at IS NULL
        ORDER BY event_id LIMIT ${most}::int)
      UNION ALL
      (SELECT ${deliveryColumns} FROM deliveries d
        WHERE endpoint_id = ${endpointId} AND status = 'pending' AND started_at IS NOT NULL
          AND next_attempt_at < (SELECT clock_timestamp() + ${ahead} + interval '1 second')
          AND (SELECT run_at FROM tasks WHERE name = ${deliverWebhook.name} AND key = d.id) <= clock_timestamp()
        ORDER BY next_attempt_at LIMIT ${most}::int)) AS d
    CROSS JOIN LATERAL (SELECT id, data, claim_version, run_at, trace FROM tasks WHERE name = ${deliverWebhook.name} AND key = d.id OFFSET 0) AS t
    JOIN events e ON e.id = d.event_id`
  const found = rows.map(toQueued)
  const isUnstarted = ({ delivery }: Queued) => delivery.startedAt === null
  return {
    unstarted: found
      .filter(isUnstarted)
      .toSorted((one, other) => (one.delivery.eventId < other.delivery.eventId ? -1 : 1)),
    retries: found.filter((each) => !isUnstarted(each)).toSorted((one, other) => +one.runAt - +other.runAt),
  }
}

const toQueued = (row: QueuedRow): Queued => ({
  delivery: toDelivery(row),
  entityId: row.entity_id,
  causationId: row.causation_id,
  eventName: row.event_name,
  body: row.body,
  before: row.before,
  trace: row.trace,
  claim: { taskId: row.task_id, claimVersion: row.claim_version },
  runAt: row.run_at,
  isReady: row.is_ready,
})

/** Deletes due tasks of the endpoint that have no pending delivery. */
export async function deleteTasksOfNothing(sql: Sql, endpointId: string): Promise<void> {
  await sql.$executeRaw`
    DELETE FROM tasks WHERE stream = ${endpointId} AND name = ${deliverWebhook.name} AND run_at <= (SELECT clock_timestamp())
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.id = tasks.key AND status = 'pending')`
}

/** Whether a delivery to the endpoint is due. */
export async function isDue(sql: Sql, endpointId: string): Promise<boolean> {
  const [row] = await sql.$queryRaw<{ is_due: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM tasks WHERE stream = ${endpointId} AND run_at <= (SELECT clock_timestamp())) AS is_due`
  return row?.is_due ?? false
}

export async function startDeliveries(sql: Sql, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length > 0) await sql.$executeRaw`UPDATE deliveries SET started_at = ${now} WHERE id = ANY(${ids})`
}

/** The deliveries of claims that no newer ones have replaced, by the ids of their tasks; locked with their tasks. */
export async function lockClaimed(
  sql: Sql,
  claims: readonly TaskClaim[],
): Promise<Map<string, { delivery: Delivery; eventName: string }>> {
  const asked = JSON.stringify(claims.map(({ taskId, claimVersion }) => ({ id: taskId, claim_version: claimVersion })))
  const rows = await sql.$queryRaw<(DeliveryRow & { task_id: string; event_name: string })[]>`
    SELECT ${deliveryColumns}, t.id AS task_id, e.name AS event_name
    FROM jsonb_to_recordset(${asked}::jsonb) AS row (id text, claim_version int)
    JOIN tasks t ON t.id = row.id COLLATE "C" AND t.claim_version = row.claim_version
    JOIN deliveries d ON d.id = t.key JOIN events e ON e.id = d.event_id
    ORDER BY d.id FOR UPDATE OF d, t`
  return new Map(rows.map((row) => [row.task_id, { delivery: toDelivery(row), eventName: row.event_name }]))
}

interface FailedSince {
  readonly since: Date
  readonly most: number
}

/**
 * The deliveries that were given up since a moment and whose events the endpoint wants, those that failed first, locked.
 * Those that another transaction has locked are being sent again already.
 */
export const lockFailed = (
  sql: Sql,
  { id, enabledEvents }: WebhookEndpoint,
  { since, most }: FailedSince,
): Promise<{ id: string; attempts: number }[]> =>
  sql.$queryRaw`
    SELECT d.id, d.attempts FROM deliveries d JOIN events e ON e.id = d.event_id
    WHERE d.endpoint_id = ${id} AND d.status = 'failed' AND d.failed_at >= ${since} AND e.name = ANY(${[...enabledEvents]})
    ORDER BY d.failed_at LIMIT ${most}::int FOR UPDATE OF d SKIP LOCKED`

/** How many those are, at most `most`. */
export async function countFailed(
  sql: Sql,
  { id, enabledEvents }: WebhookEndpoint,
  { since, most }: FailedSince,
): Promise<number> {
  const [row] = await sql.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM deliveries d JOIN events e ON e.id = d.event_id
      WHERE d.endpoint_id = ${id} AND d.status = 'failed' AND d.failed_at >= ${since}
        AND e.name = ANY(${[...enabledEvents]}) LIMIT ${most}::int) AS failed`
  return row?.count ?? 0
}

/** Deliveries that begin a new series of attempts now. */
export async function saveAgain(
  sql: Sql,
  ids: readonly string[],
  { status, now }: { status: DeliveryStatus; now: Date },
): Promise<void> {
  await sql.$executeRaw`
    UPDATE deliveries SET status = ${status}, next_attempt_at = ${now}, failed_at = NULL WHERE id = ANY(${ids})`
}

/** Endpoints by their ids. */
export async function findEndpoints(sql: Sql, ids: readonly string[]): Promise<Map<string, WebhookEndpoint>> {
  if (ids.length === 0) return new Map()
  const rows = await sql.webhook_endpoints.findMany({ where: { id: { in: [...new Set(ids)] } } })
  return new Map(rows.map((row) => [row.id, toEndpoint(row)]))
}
