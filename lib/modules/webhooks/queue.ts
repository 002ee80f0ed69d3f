import { firstIdAt } from '../../kernel/ids.ts'
import { wholeSecond } from '../../kernel/moment.ts'
import type { TaskMoment, Tenant } from '../../platform/clock/clock.ts'
import { allColumns } from '../../platform/db/columns.ts'
import { type Sql, updateRows } from '../../platform/db/db.ts'
import { emptyFragment, type Fragment, fragment } from '../../platform/db/fragment.ts'
import { isDueOnStoppedClock } from '../../platform/jobs/streams.ts'
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

/** The waiting deliveries of one endpoint, for its dispatch; and operations on many deliveries. */

/** A waiting delivery, with its task as last read. */
export interface Queued extends Unstarted {
  readonly delivery: Delivery
  readonly eventName: string
  /** The bytes to send; null if they were not requested. */
  readonly body: string | null
  /** Attempts before the current series. */
  readonly before: number
  /** Whether the delivery is unrelated to the advance of a clock (`tasks.beside`). */
  readonly isBeside: boolean
  /** On a stopped clock, the time at which the delivery is due, and which its attempts have. */
  readonly moment: TaskMoment | null
  /** The cause, in a trace. */
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
  readonly task_due_at: Date
  readonly run_at: Date
  readonly is_ready: boolean
  readonly is_beside: boolean
}

/** The state of an endpoint that its dispatch checks before it begins an attempt. */
export interface Receiver {
  readonly endpoint: WebhookEndpoint
  /** Whether the clock is being advanced, so that the advance delivers instead. */
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

// The time is read in a separate query, because only then can PostgreSQL use it with an index. The task of each
// delivery is looked up separately (`OFFSET 0`). In a join PostgreSQL would read all waiting tasks for each delivery,
// if its statistics are from a time without waiting webhooks.

/**
 * The next deliveries of an endpoint, up to `most` of each kind: those before their first attempt, in the order of the
 * events, due or not; and due retries, longest overdue first.
 */
export async function findNext(
  sql: Sql,
  tenant: Tenant,
  endpointId: string,
  { most, withBody, isStopped }: { most: number; withBody: boolean; isStopped: boolean },
): Promise<{ unstarted: Queued[]; retries: Queued[] }> {
  const { task, until } = dueness(tenant, isStopped)
  const rows = await sql.$queryRaw<QueuedRow[]>`
    SELECT ${deliveryColumns}, e.name AS event_name, CASE WHEN ${withBody}::boolean THEN e.body END AS body,
      coalesce((t.data ->> 'before')::int, 0) AS before, t.id AS task_id, t.claim_version, t.run_at, t.trace,
      t.due_at AS task_due_at, t.is_ready, t.beside AS is_beside
    FROM (
      (SELECT ${deliveryColumns} FROM deliveries d WHERE endpoint_id = ${endpointId} AND status = 'pending' AND started_at IS NULL
        ORDER BY event_id LIMIT ${most}::int)
      UNION ALL
      (SELECT ${deliveryColumns} FROM deliveries d
        WHERE endpoint_id = ${endpointId} AND status = 'pending' AND started_at IS NOT NULL
          AND next_attempt_at < (SELECT ${until} + interval '1 second')
          AND (SELECT ${task} FROM tasks WHERE name = ${deliverWebhook.name} AND key = d.id)
        ORDER BY next_attempt_at LIMIT ${most}::int)) AS d
    CROSS JOIN LATERAL (
      SELECT id, data, claim_version, due_at, run_at, trace, beside, ${task} AS is_ready
      FROM tasks WHERE name = ${deliverWebhook.name} AND key = d.id OFFSET 0) AS t
    JOIN events e ON e.id = d.event_id`
  const found = rows.map((row) => toQueued(row, isStopped))
  const isUnstarted = ({ delivery }: Queued) => delivery.startedAt === null
  return {
    unstarted: found
      .filter(isUnstarted)
      .toSorted((one, other) => (one.delivery.eventId < other.delivery.eventId ? -1 : 1)),
    retries: found.filter((each) => !isUnstarted(each)).toSorted((one, other) => +one.runAt - +other.runAt),
  }
}

const toQueued = (row: QueuedRow, isStopped: boolean): Queued => ({
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
  isBeside: row.is_beside,
  moment: isStopped ? { at: wholeSecond(row.task_due_at), clock: 'apart' } : null,
})

/** When a task of an endpoint may begin (a condition on `tasks`), and the moment up to which its deliveries are due. */
const dueness = (tenant: Tenant, isStopped: boolean): { task: Fragment; until: Fragment } =>
  isStopped
    ? {
        task: isDueOnStoppedClock(tenant.storefrontId),
        until: fragment`(SELECT frozen_at FROM clocks WHERE storefront_id = ${tenant.storefrontId})`,
      }
    : {
        task: fragment`run_at <= clock_timestamp()`,
        until: fragment`clock_timestamp() + ${aheadOf(tenant.testmode ? 'storefront' : 'real', tenant)}`,
      }

/** Deletes due tasks of the endpoint that have no pending delivery. */
export const deleteTasksOfNothing = (
  sql: Sql,
  tenant: Tenant,
  endpointId: string,
  isStopped: boolean,
): Promise<{ isBeside: boolean }[]> =>
  sql.$queryRaw`
    DELETE FROM tasks WHERE stream = ${endpointId} AND name = ${deliverWebhook.name} AND ${dueTask(tenant, isStopped)}
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.id = tasks.key AND status = 'pending')
    RETURNING beside AS "isBeside"`

/** Whether a delivery to the endpoint is due. */
export async function isDue(sql: Sql, tenant: Tenant, endpointId: string, isStopped: boolean): Promise<boolean> {
  const [row] = await sql.$queryRaw<{ is_due: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM tasks WHERE stream = ${endpointId} AND ${dueTask(tenant, isStopped)}) AS is_due`
  return row?.is_due ?? false
}

// The time is read in a query of its own, so that an index is searched for it.
const dueTask = ({ storefrontId }: Tenant, isStopped: boolean): Fragment =>
  isStopped ? isDueOnStoppedClock(storefrontId) : fragment`run_at <= (SELECT clock_timestamp())`

/** Records the moment at which first attempts begin. */
export async function startDeliveries(sql: Sql, started: readonly { id: string; at: Date }[]): Promise<void> {
  await updateRows(
    sql,
    'deliveries',
    started.map(({ id, at }) => ({ id, started_at: at })),
  )
}

/** The deliveries of claims that are still the newest, by the ids of their tasks, locked with their tasks. */
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

/** Failed deliveries to re-send. An absent value matches all of them. */
export interface FailedFilter {
  readonly endpointId?: string | undefined
  readonly eventName?: string | undefined
  readonly entityId?: string | undefined
  readonly createdAfter?: Date | undefined
  readonly createdBefore?: Date | undefined
  /** The earliest time of the failure. */
  readonly since: Date
}

/** Matching failed deliveries whose endpoints want the event: by time of failure for one endpoint, otherwise oldest first. */
const failedMatching = (
  { storefrontId, testmode }: Tenant,
  { endpointId, eventName, entityId, createdAfter, createdBefore, since }: FailedFilter,
): Fragment => fragment`
  FROM deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id JOIN events e ON e.id = d.event_id
  WHERE d.storefront_id = ${storefrontId} AND d.testmode = ${testmode} AND d.status = 'failed' AND d.failed_at >= ${since}
    AND w.deleted_at IS NULL AND e.name = ANY(w.enabled_events)
    ${endpointId ? fragment`AND d.endpoint_id = ${endpointId}` : emptyFragment}
    ${eventName ? fragment`AND e.name = ${eventName}` : emptyFragment}
    ${entityId ? fragment`AND d.entity_id = ${entityId}` : emptyFragment}
    ${createdAfter ? fragment`AND d.id >= ${firstIdAt('delivery_', createdAfter)}` : emptyFragment}
    ${createdBefore ? fragment`AND d.id < ${firstIdAt('delivery_', createdBefore)}` : emptyFragment}
  ORDER BY ${endpointId ? fragment`d.failed_at` : fragment`d.id`}`

/** Locks the first matching deliveries. Skips deliveries that another transaction is already re-sending. */
export const lockFailed = (
  sql: Sql,
  tenant: Tenant,
  filter: FailedFilter,
  most: number,
): Promise<{ id: string; attempts: number; endpointId: string }[]> =>
  sql.$queryRaw`
    SELECT d.id, d.attempts, d.endpoint_id AS "endpointId" ${failedMatching(tenant, filter)}
    LIMIT ${most}::int FOR UPDATE OF d SKIP LOCKED`

/** The number of such deliveries, up to `most`. */
export async function countFailed(sql: Sql, tenant: Tenant, filter: FailedFilter, most: number): Promise<number> {
  const [row] = await sql.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (SELECT 1 ${failedMatching(tenant, filter)} LIMIT ${most}::int) AS failed`
  return row?.count ?? 0
}

/** Starts a new series of attempts for deliveries now. */
export async function saveAgain(
  sql: Sql,
  ids: readonly string[],
  { status, now }: { status: DeliveryStatus; now: Date },
): Promise<void> {
  await sql.$executeRaw`
    UPDATE deliveries SET status = ${status}, next_attempt_at = ${now}, failed_at = NULL WHERE id = ANY(${ids})`
}

export async function findEndpoints(sql: Sql, ids: readonly string[]): Promise<Map<string, WebhookEndpoint>> {
  if (ids.length === 0) return new Map()
  const rows = await sql.webhook_endpoints.findMany({ where: { id: { in: [...new Set(ids)] } } })
  return new Map(rows.map((row) => [row.id, toEndpoint(row)]))
}
