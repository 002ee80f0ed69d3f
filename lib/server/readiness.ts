import { advancingClocks } from '../platform/clock/stalled-clocks.ts'
import { db } from '../platform/db/db.ts'
import { dueTasks } from '../platform/jobs/due-tasks.ts'
import { secondsSinceLook } from '../platform/jobs/last-look.ts'
import { within } from '../platform/within.ts'
import { serviceStates, unknownServiceStates } from '../providers/index.ts'
import { missingMigrations } from './migrations.ts'
import { watchedCheck } from './newest-check.ts'
import { databaseProblem } from './usable-database.ts'

/** The value of each part is `ok` or names a problem. */
export interface Readiness {
  /** `degraded`: the service works, but the operator must look at a problem. */
  readonly status: 'ok' | 'degraded' | 'not_ready'
  readonly ready: boolean
  readonly database: string
  readonly migrations: string
  /** The delay of the oldest due task, including tasks that were sent to Inngest and have not started. */
  readonly taskLagSeconds: number | null
  /** States whether a worker runs, and whether tasks are late. Tasks that need a webhook receiver or a mail server do not count. */
  readonly tasks: string
  /** Null if no Inngest server is configured. While the database cannot be used, `unknown`. */
  readonly inngest: string | null
  /** Null if no live payment provider is connected. While the database cannot be used, `unknown`. */
  readonly payments: string | null
  /** The services in use, except Inngest and the payment providers. A service that is not configured is absent. */
  readonly services: Readonly<Record<string, string>>
  readonly clocks: string
  readonly invariants: string
}

const patienceMs = 1_000
const mostLagSeconds = 60
/** The maximum number of seconds since a worker last noted that it runs. A worker notes this every ten seconds. */
const mostSecondsWithoutLook = 60
/** The invariant check runs every night, and this limit tolerates one missed night. */
const mostHoursBetweenChecks = 50

/**
 * Ready: the database responds within a second, accepts writes, and has every migration.
 *
 * Degraded: ready, but the operator must look at one of these problems:
 * - Tasks of the queue `work` are more than a minute late.
 * - No worker has looked for due tasks for a minute.
 * - The newest invariant check found violations or is more than 50 hours old.
 * - A test clock has stalled.
 * - The Inngest server, the payment provider, or the mail server does not respond.
 *
 * A degraded process stays ready, because every process has the same problem and a load balancer would gain nothing by removing one process.
 * The status stays `ok` if a VAT ID registry does not respond or exchange rates are missing, because sales continue by fixed rules.
 */
export async function readiness(): Promise<Readiness> {
  try {
    return await within(patienceMs, look())
  } catch {
    return notReady('does not answer')
  }
}

function notReady(database: string): Readiness {
  const { inngest, payments, ...services } = unknownServiceStates()
  return {
    status: 'not_ready',
    ready: false,
    database,
    migrations: 'unknown',
    taskLagSeconds: null,
    tasks: 'unknown',
    inngest: inngest ?? null,
    payments: payments ?? null,
    services,
    clocks: 'unknown',
    invariants: 'unknown',
  }
}

async function look(): Promise<Readiness> {
  const problem = await databaseProblem()
  if (problem !== null) return notReady(problem)
  const missing = await missingMigrations()
  const migrations = missing.length === 0 ? 'ok' : `missing: ${missing.join(', ')}`
  // These queries run only if no migration is missing, because a missing migration can mean a missing table.
  const lag = missing.length === 0 ? await taskLag() : null
  const invariants = missing.length === 0 ? await newestCheck() : 'unknown'
  const clocks = missing.length === 0 ? await stalledClocks() : 'unknown'
  const ready = missing.length === 0
  const tasks = lag === null ? 'unknown' : await tasksState(lag.ofWork)
  const { inngest, payments, ...services } = missing.length === 0 ? await serviceStates() : unknownServiceStates()
  const isWell = [tasks, invariants, clocks, inngest, payments, services.mail].every((part) => (part ?? 'ok') === 'ok')
  const status = isWell ? 'ok' : 'degraded'
  return {
    status: ready ? status : 'not_ready',
    ready,
    database: 'ok',
    migrations,
    taskLagSeconds: lag?.ofAll ?? null,
    tasks,
    inngest: inngest ?? null,
    payments: payments ?? null,
    services,
    clocks,
    invariants,
  }
}

/** Delays in seconds. `ofWork` covers the queue `work`, which no external service can delay. */
async function taskLag(): Promise<{ ofWork: number; ofAll: number }> {
  const [row] = await db().$queryRaw<{ ofWork: number | null; ofDue: number | null; handedOver: number | null }[]>`
    SELECT extract(epoch FROM clock_timestamp() - (SELECT min(run_at) FROM (${dueTasks} AND stream IS NULL AND queue = 'work'
        ORDER BY run_at LIMIT 1) AS work))::float8 AS "ofWork",
      extract(epoch FROM clock_timestamp() - (SELECT min(run_at) FROM (${dueTasks}) AS due))::float8 AS "ofDue",
      extract(epoch FROM clock_timestamp() - (
        SELECT min(handed_over_at) FROM tasks WHERE handed_over_at IS NOT NULL))::float8 AS "handedOver"`
  const [ofWork, ofDue, handedOver] = [row?.ofWork, row?.ofDue, row?.handedOver].map((lag) => Math.round(lag ?? 0))
  return { ofWork: ofWork ?? 0, ofAll: Math.max(ofDue ?? 0, handedOver ?? 0) }
}

async function tasksState(lagSeconds: number): Promise<string> {
  const idleSeconds = await secondsSinceLook()
  if (idleSeconds === null) return 'no worker has run'
  if (idleSeconds > mostSecondsWithoutLook) return `no worker has run for ${idleSeconds} s`
  return lagSeconds <= mostLagSeconds ? 'ok' : `late by ${lagSeconds} s`
}

async function stalledClocks(): Promise<string> {
  const { stalled, stalledForSeconds, waitingForStalled } = await advancingClocks()
  if (stalled === 0) return 'ok'
  return `${stalled} being moved without progress, for ${stalledForSeconds} s; ${waitingForStalled} tasks wait`
}

/**
 * Returns the state of the newest invariant check. A new installation counts as ok until its first check is overdue.
 */
async function newestCheck(): Promise<string> {
  const { day, ageSeconds, broken } = await watchedCheck()
  if (day !== null && broken.length > 0) return `broken on ${day}: ${broken.join('; ')}`
  if (ageSeconds <= mostHoursBetweenChecks * 3_600) return 'ok'
  return day === null ? 'never checked' : `not checked since ${day}`
}
