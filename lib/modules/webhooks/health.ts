import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { inSteps } from '../../platform/db/in-steps.ts'
import { type HealthState, healthState, successRate } from './rules/health.ts'
import { attemptsKeptDays } from './rules/limits.ts'
import type { WebhookEndpoint } from './store.ts'

/** Recorded attempts are counted per hour of real time, so that reading the health costs the same for any number of deliveries. */

export interface Counted {
  readonly attemptId: string
  readonly endpointId: string
  readonly startedAt: Date
  readonly isSuccess: boolean
}

interface Hour {
  endpoint_id: string
  hour: Date
  succeeded: number
  failed: number
  last_succeeded_at: Date | null
  last_failed_at: Date | null
  last_failed_attempt_id: string | null
}

const hourMs = 3_600_000
const hourOf = (moment: Date) => new Date(Math.floor(moment.getTime() / hourMs) * hourMs)

function hoursOf(attempts: readonly Counted[]): Hour[] {
  const hours = new Map<string, Hour>()
  for (const { attemptId, endpointId, startedAt, isSuccess } of attempts) {
    const hour = hourOf(startedAt)
    const key = `${endpointId} ${hour.toISOString()}`
    const counted = hours.get(key) ?? emptyHour(endpointId, hour)
    hours.set(key, counted)
    if (isSuccess) {
      counted.succeeded += 1
      if (!counted.last_succeeded_at || startedAt >= counted.last_succeeded_at) counted.last_succeeded_at = startedAt
    } else {
      counted.failed += 1
      if (counted.last_failed_at && startedAt < counted.last_failed_at) continue
      counted.last_failed_at = startedAt
      counted.last_failed_attempt_id = attemptId
    }
  }
  // A fixed order of locks prevents deadlocks.
  return [...hours].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, hour]) => hour)
}

const emptyHour = (endpoint_id: string, hour: Date): Hour => ({
  endpoint_id,
  hour,
  succeeded: 0,
  failed: 0,
  last_succeeded_at: null,
  last_failed_at: null,
  last_failed_attempt_id: null,
})

export async function countAttempts(sql: Sql, tenant: Tenant, attempts: readonly Counted[]): Promise<void> {
  const { storefront_id, testmode } = ownedBy(tenant)
  await sql.$executeRaw`
    INSERT INTO endpoint_hours AS old (endpoint_id, hour, storefront_id, testmode, succeeded, failed,
      last_succeeded_at, last_failed_at, last_failed_attempt_id)
    SELECT endpoint_id, hour, ${storefront_id}, ${testmode}::boolean, succeeded, failed,
      last_succeeded_at, last_failed_at, last_failed_attempt_id
    FROM json_populate_recordset(NULL::endpoint_hours, ${JSON.stringify(hoursOf(attempts))}::json)
    ON CONFLICT (endpoint_id, hour) DO UPDATE SET
      succeeded = old.succeeded + excluded.succeeded,
      failed = old.failed + excluded.failed,
      last_succeeded_at = greatest(old.last_succeeded_at, excluded.last_succeeded_at),
      last_failed_at = greatest(old.last_failed_at, excluded.last_failed_at),
      last_failed_attempt_id = CASE WHEN excluded.last_failed_at >= old.last_failed_at OR old.last_failed_at IS NULL
        THEN coalesce(excluded.last_failed_attempt_id, old.last_failed_attempt_id) ELSE old.last_failed_attempt_id END`
}

interface AttemptCounts {
  readonly succeeded: number
  readonly failed: number
  /** `rate` is in tenths of a percent; null if no attempt was made. */
  readonly rate: number | null
}

/** Attempts are counted in real time, by whole hours. */
export interface EndpointHealth {
  readonly state: HealthState
  /** `day` covers the last 24 hours, and `week` the last 7 days. */
  readonly day: AttemptCounts
  readonly week: AttemptCounts
  readonly lastSucceededAt: Date | null
  /** `attempt` is null if the attempt has been deleted at the end of its retention time. */
  readonly lastFailure: {
    readonly at: Date
    readonly attempt: {
      readonly deliveryId: string
      readonly status: number | null
      readonly error: string | null
    } | null
  } | null
  /** The number of pending deliveries, at most `mostWaiting`. */
  readonly waiting: number
  readonly isMoreWaiting: boolean
  /** The oldest pending delivery. Its time is on the storefront's clock. */
  readonly oldest: { readonly deliveryId: string; readonly createdAt: Date } | null
}

const mostWaiting = 1_000

interface HealthRow {
  endpoint_id: string
  day_succeeded: number
  day_failed: number
  week_succeeded: number
  week_failed: number
  last_succeeded_at: Date | null
  last_failed_at: Date | null
  delivery_id: string | null
  status: number | null
  error: string | null
  waiting: number
  oldest_id: string | null
  oldest_at: Date | null
}

export async function healthOf(
  sql: Sql,
  endpoints: readonly Pick<WebhookEndpoint, 'id' | 'enabledEvents'>[],
): Promise<ReadonlyMap<string, EndpointHealth>> {
  if (endpoints.length === 0) return new Map()
  const ids = endpoints.map(({ id }) => id)
  const rows = await sql.$queryRaw<HealthRow[]>`
    SELECT w.id AS endpoint_id, counts.day_succeeded, counts.day_failed,
      counts.week_succeeded, counts.week_failed, s.last_succeeded_at, f.last_failed_at, a.delivery_id, a.status, a.error,
      (SELECT count(*)::int FROM (
        SELECT 1 FROM deliveries WHERE endpoint_id = w.id AND status = 'pending' LIMIT ${mostWaiting + 1}::int) AS waiting) AS waiting,
      o.id AS oldest_id, o.created_at AS oldest_at
    FROM unnest(${ids}::text[]) AS w (id)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(succeeded) FILTER (WHERE hour > now() - interval '24 hours'), 0)::int AS day_succeeded,
        coalesce(sum(failed) FILTER (WHERE hour > now() - interval '24 hours'), 0)::int AS day_failed,
        coalesce(sum(succeeded), 0)::int AS week_succeeded, coalesce(sum(failed), 0)::int AS week_failed
      FROM endpoint_hours WHERE endpoint_id = w.id COLLATE "C" AND hour > now() - interval '7 days') AS counts
    LEFT JOIN LATERAL (
      SELECT last_succeeded_at FROM endpoint_hours WHERE endpoint_id = w.id COLLATE "C" AND succeeded > 0
      ORDER BY hour DESC LIMIT 1) AS s ON true
    LEFT JOIN LATERAL (
      SELECT last_failed_at, last_failed_attempt_id FROM endpoint_hours WHERE endpoint_id = w.id COLLATE "C" AND failed > 0
      ORDER BY hour DESC LIMIT 1) AS f ON true
    LEFT JOIN delivery_attempts a ON a.id = f.last_failed_attempt_id
    LEFT JOIN LATERAL (
      SELECT id, created_at FROM deliveries WHERE endpoint_id = w.id COLLATE "C" AND status = 'pending'
      ORDER BY id LIMIT 1) AS o ON true`
  const events = new Map(endpoints.map(({ id, enabledEvents }) => [id, enabledEvents]))
  return new Map(rows.map((row) => [row.endpoint_id, toHealth(row, events.get(row.endpoint_id) ?? [])]))
}

function toHealth(row: HealthRow, enabledEvents: readonly string[]): EndpointHealth {
  const counts = (succeeded: number, failed: number) => ({
    succeeded,
    failed,
    rate: successRate({ succeeded, failed }),
  })
  const { last_succeeded_at: lastSucceededAt, last_failed_at: lastFailedAt, delivery_id: deliveryId } = row
  return {
    state: healthState({ enabledEvents, lastSucceededAt, lastFailedAt }),
    day: counts(row.day_succeeded, row.day_failed),
    week: counts(row.week_succeeded, row.week_failed),
    lastSucceededAt,
    lastFailure: lastFailedAt && {
      at: lastFailedAt,
      attempt: deliveryId === null ? null : { deliveryId, status: row.status, error: row.error },
    },
    waiting: Math.min(row.waiting, mostWaiting),
    isMoreWaiting: row.waiting > mostWaiting,
    oldest: row.oldest_id && row.oldest_at ? { deliveryId: row.oldest_id, createdAt: row.oldest_at } : null,
  }
}

export const deleteOldHours = (sql: Sql): Promise<number> =>
  inSteps(
    (limit) => sql.$executeRaw`
      DELETE FROM endpoint_hours WHERE (endpoint_id, hour) IN (
        SELECT endpoint_id, hour FROM endpoint_hours
        WHERE hour < (SELECT clock_timestamp()) - ${attemptsKeptDays}::int * interval '1 day' ORDER BY hour LIMIT ${limit}::int)`,
  )
