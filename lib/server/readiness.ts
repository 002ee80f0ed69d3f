import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { advancingClocks } from '../platform/clock/stalled-clocks.ts'
import { db } from '../platform/db/db.ts'
import { taskServerState } from '../platform/jobs/task-server-state.ts'
import { within } from '../platform/within.ts'
import { connectedProviders, livePaymentsState } from '../providers/index.ts'

/** What an orchestrator checks before it sends traffic: each part is `ok` or says what is wrong. */
export interface Readiness {
  /** `degraded`: the service works, but a person must look at something. */
  readonly status: 'ok' | 'degraded' | 'not_ready'
  readonly ready: boolean
  readonly database: string
  readonly migrations: string
  /** Seconds by which the oldest task is late that is due, or was handed over and has not begun. */
  readonly taskLagSeconds: number | null
  /** Whether the Inngest server runs what is handed to it; null without one. */
  readonly inngest: string | null
  /** Whether the provider of live payments answers this process; null without one. */
  readonly payments: string | null
  /** How many test clocks are advancing without progress, for how long, and how many tasks wait. */
  readonly clocks: string
  /** The result of the newest invariant check. */
  readonly invariants: string
}

const patienceMs = 1_000
const mostLagSeconds = 60
/** There is a check every night. */
const mostHoursBetweenChecks = 50

/**
 * Ready: the database answers within a second, every migration is applied, and due tasks are at most a minute late. Tasks
 * that wait with an Inngest server do not count: it sends their runs to those who are ready.
 * Degraded: ready, but the newest invariant check found violations or is more than 50 hours old, the advance of a test
 * clock is stalled, or the Inngest server or the payment provider is away. Then a person must look at it, while all other storefronts are served.
 */
export async function readiness(): Promise<Readiness> {
  try {
    return await within(patienceMs, look())
  } catch {
    const unknown = {
      migrations: 'unknown',
      taskLagSeconds: null,
      inngest: null,
      payments: livePaymentsState(),
      clocks: 'unknown',
      invariants: 'unknown',
    }
    return { status: 'not_ready', ready: false, database: 'does not answer', ...unknown }
  }
}

async function look(): Promise<Readiness> {
  const [applied, lag, known] = await Promise.all([appliedMigrations(), taskLag(), knownMigrations()])
  const missing = known.filter((name) => !applied.includes(name))
  const migrations = missing.length === 0 ? 'ok' : `missing: ${missing.join(', ')}`
  // The table of checks may itself be missing.
  const invariants = missing.length === 0 ? await newestCheck() : 'unknown'
  const clocks = missing.length === 0 ? await stalledClocks() : 'unknown'
  const ready = missing.length === 0 && lag.ofDue <= mostLagSeconds
  const inngest = taskServerState()
  // Accounts of storefronts come and go.
  if (missing.length === 0) await connectedProviders()
  const payments = livePaymentsState()
  const isWell = [invariants, clocks, inngest ?? 'ok', payments ?? 'ok'].every((part) => part === 'ok')
  const status = isWell ? 'ok' : 'degraded'
  return {
    ...{ status: ready ? status : 'not_ready', ready, database: 'ok', migrations },
    ...{ taskLagSeconds: lag.ofAll, inngest, payments, clocks, invariants },
  }
}

async function appliedMigrations(): Promise<string[]> {
  const rows = await db().$queryRaw<
    { migration_name: string }[]
  >`SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL`
  return rows.map((row) => row.migration_name)
}

/** By how many seconds the oldest task is late: of those that are due, and with those that wait with a task server. */
async function taskLag(): Promise<{ ofDue: number; ofAll: number }> {
  const [row] = await db().$queryRaw<{ ofDue: number | null; handedOver: number | null }[]>`
    SELECT extract(epoch FROM clock_timestamp() - min(run_at))::float8 AS "ofDue",
      extract(epoch FROM clock_timestamp() - (
        SELECT min(handed_over_at) FROM tasks WHERE handed_over_at IS NOT NULL))::float8 AS "handedOver" FROM tasks
    WHERE run_at <= (SELECT clock_timestamp()) AND NOT (clock = 'storefront' AND EXISTS (
      SELECT 1 FROM clocks WHERE clocks.storefront_id = tasks.storefront_id AND advancing_to IS NOT NULL))`
  const ofDue = Math.round(row?.ofDue ?? 0)
  return { ofDue, ofAll: Math.max(ofDue, Math.round(row?.handedOver ?? 0)) }
}

async function stalledClocks(): Promise<string> {
  const { stalled, stalledForSeconds, waitingForStalled } = await advancingClocks()
  if (stalled === 0) return 'ok'
  return `${stalled} being moved without progress, for ${stalledForSeconds} s; ${waitingForStalled} tasks wait`
}

/** A new installation counts as ok until its first check is overdue. */
async function newestCheck(): Promise<string> {
  const [check] = await db().$queryRaw<{ day: string; isOld: boolean; broken: string[] }[]>`
    SELECT day, finished_at < clock_timestamp() - ${mostHoursBetweenChecks}::int * interval '1 hour' AS "isOld",
      ARRAY(SELECT jsonb_object_keys(broken)) AS broken
    FROM invariant_checks ORDER BY finished_at DESC LIMIT 1`
  if (!check) return (await isNew()) ? 'ok' : 'never checked'
  if (check.broken.length > 0) return `broken on ${check.day}: ${check.broken.join('; ')}`
  return check.isOld ? `not checked since ${check.day}` : 'ok'
}

async function isNew(): Promise<boolean> {
  const [installed] = await db().$queryRaw<{ isNew: boolean }[]>`
    SELECT max(finished_at) > clock_timestamp() - ${mostHoursBetweenChecks}::int * interval '1 hour' AS "isNew" FROM _prisma_migrations`
  return installed?.isNew ?? true
}

async function knownMigrations(): Promise<string[]> {
  const entries = await readdir(path.join(process.cwd(), 'prisma/migrations'), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}
