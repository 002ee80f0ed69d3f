import { firstIdAt } from '../../kernel/ids.ts'
import { wholeSecond } from '../../kernel/moment.ts'
import { ownedRows, type TaskMoment, type Tenant } from '../../platform/clock/clock.ts'
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

export interface Queued extends Unstarted {
  readonly delivery: Delivery
  readonly eventName: string
  /** The bytes to send; null if the query did not load them. */
  readonly body: string | null
  /** The number of attempts before the last re-send, which starts a new series of attempts. 0 without a re-send. */
  readonly before: number
  /** Whether a request enqueued the delivery while the test clock advanced (`tasks.beside`). */
  readonly isBeside: boolean
  /**
   * The time at which the delivery is due on a stopped test clock. The attempts of the delivery are recorded with this
   * time. Null if the clock runs.
   */
  readonly moment: TaskMoment | null
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

export interface Receiver {
  readonly endpoint: WebhookEndpoint
  /** Whether the endpoint's test clock is advancing. If so, only dispatch tasks of the advance deliver events. */
  readonly isAdvancing: boolean
  /**
   * Deliveries whose first attempt has no recorded result, because the attempt is in progress or its process has ended.
   */
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
  if (!row) throw new Error(`the webhook endpoint ${endpointId} does not exist`)
  return { endpoint: toEndpoint(row), isAdvancing: row.is_advancing, unanswered: row.unanswered }
}

/**
 * Returns up to `most` deliveries without an attempt, due or not, in the order of the events. In addition, returns up to `most` due retries, longest overdue
 * first.
 */
export async function findNext(
  sql: Sql,
  tenant: Tenant,
  endpointId: string,
  { most, withBody, isStopped }: { most: number; withBody: boolean; isStopped: boolean },
): Promise<{ unstarted: Queued[]; retries: Queued[] }> {
  const { task, until } = dueness(tenant, isStopped)
  // A subquery for the current time lets PostgreSQL use an index. `OFFSET 0` makes PostgreSQL look up each task separately. With outdated
  // statistics, a join would read all pending tasks for each delivery.
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

export async function isDue(sql: Sql, tenant: Tenant, endpointId: string, isStopped: boolean): Promise<boolean> {
  const [row] = await sql.$queryRaw<{ is_due: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM tasks WHERE stream = ${endpointId} AND ${dueTask(tenant, isStopped)}) AS is_due`
  return row?.is_due ?? false
}

// A subquery for the current time lets PostgreSQL use an index.
const dueTask = ({ storefrontId }: Tenant, isStopped: boolean): Fragment =>
  isStopped ? isDueOnStoppedClock(storefrontId) : fragment`run_at <= (SELECT clock_timestamp())`

export async function startDeliveries(sql: Sql, started: readonly { id: string; at: Date }[]): Promise<void> {
  await updateRows(
    sql,
    'deliveries',
    started.map(({ id, at }) => ({ id, started_at: at })),
  )
}

/** Locks the claimed tasks and their deliveries. Skips a task with a newer claim. Returns the deliveries by task id. */
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

export interface FailedFilter {
  readonly endpointId?: string | undefined
  readonly eventName?: string | undefined
  readonly entityId?: string | undefined
  readonly createdAfter?: Date | undefined
  readonly createdBefore?: Date | undefined
  readonly since: Date
}

/**
 * Selects failed deliveries. Excludes deleted endpoints, and events that their endpoint has disabled. Sorts the
 * deliveries of one endpoint by failure time, and other selections by creation time, oldest first.
 */
const failedMatching = (
  tenant: Tenant,
  { endpointId, eventName, entityId, createdAfter, createdBefore, since }: FailedFilter,
): Fragment => fragment`
  FROM deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id JOIN events e ON e.id = d.event_id
  WHERE ${ownedRows(tenant, 'd')} AND d.status = 'failed' AND d.failed_at >= ${since}
    AND w.deleted_at IS NULL AND e.name = ANY(w.enabled_events)
    ${endpointId ? fragment`AND d.endpoint_id = ${endpointId}` : emptyFragment}
    ${eventName ? fragment`AND e.name = ${eventName}` : emptyFragment}
    ${entityId ? fragment`AND d.entity_id = ${entityId}` : emptyFragment}
    ${createdAfter ? fragment`AND d.id >= ${firstIdAt('delivery_', createdAfter)}` : emptyFragment}
    ${createdBefore ? fragment`AND d.id < ${firstIdAt('delivery_', createdBefore)}` : emptyFragment}
  ORDER BY ${endpointId ? fragment`d.failed_at` : fragment`d.id`}`

/** Locks failed deliveries, except deliveries that another transaction is re-sending. */
export const lockFailed = (
  sql: Sql,
  tenant: Tenant,
  filter: FailedFilter,
  most: number,
): Promise<{ id: string; attempts: number; endpointId: string }[]> =>
  sql.$queryRaw`
    SELECT d.id, d.attempts, d.endpoint_id AS "endpointId" ${failedMatching(tenant, filter)}
    LIMIT ${most}::int FOR UPDATE OF d SKIP LOCKED`

export async function countFailed(sql: Sql, tenant: Tenant, filter: FailedFilter, most: number): Promise<number> {
  const [row] = await sql.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (SELECT 1 ${failedMatching(tenant, filter)} LIMIT ${most}::int) AS failed`
  return row?.count ?? 0
}

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
