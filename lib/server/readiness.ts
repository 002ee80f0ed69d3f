import { advancingClocks } from '../platform/clock/stalled-clocks.ts'
import { db } from '../platform/db/db.ts'
import { dueTasks } from '../platform/jobs/due-tasks.ts'
import { within } from '../platform/within.ts'
import { serviceStates } from '../providers/index.ts'
import { missingMigrations } from './migrations.ts'
import { watchedCheck } from './newest-check.ts'
import { databaseProblem } from './usable-database.ts'

/** What an orchestrator checks before it sends traffic: each part is `ok` or says what is wrong. */
export interface Readiness {
  /** `degraded`: the service works, but a person must look at something. */
  readonly status: 'ok' | 'degraded' | 'not_ready'
  readonly ready: boolean
  readonly database: string
  readonly migrations: string
  /** Seconds by which the oldest task is late that is due, or was handed over and has not begun. */
  readonly taskLagSeconds: number | null
  /** Whether what no receiver of webhooks and no mail server holds up is run in time. */
  readonly tasks: string
  /** Whether the Inngest server runs what is handed to it; null without one. */
  readonly inngest: string | null
  /** Whether the providers of live payments answer, and accept the keys; null without one. */
  readonly payments: string | null
  /** The other services that are configured. */
  readonly services: Readonly<Record<string, string>>
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
 * Ready: the database answers within a second, takes writes, and has every migration.
 * Degraded: ready, but tasks of the queue `work` are more than a minute late, the newest invariant check found violations
 * or is more than 50 hours old, the advance of a test clock is stalled, or the Inngest server, the payment provider
 * or the mail server is away. Then a person must look at it, while all other storefronts are served. All of that is the same in every
 * process: a load balancer that took them out of service would repair nothing. Without a registry of VAT IDs, or new exchange rates,
 * sales continue by a rule: nobody must look.
 */
export async function readiness(): Promise<Readiness> {
  try {
    return await within(patienceMs, look())
  } catch {
    return notReady('does not answer')
  }
}

/** The database cannot be used: what it would say of the rest is unknown. */
const notReady = (database: string): Readiness => ({
  status: 'not_ready',
  ready: false,
  database,
  migrations: 'unknown',
  taskLagSeconds: null,
  tasks: 'unknown',
  inngest: null,
  payments: null,
  services: {},
  clocks: 'unknown',
  invariants: 'unknown',
})

async function look(): Promise<Readiness> {
  const problem = await databaseProblem()
  if (problem !== null) return notReady(problem)
  const missing = await missingMigrations()
  const migrations = missing.length === 0 ? 'ok' : `missing: ${missing.join(', ')}`
  // What they read may itself be missing.
  const lag = missing.length === 0 ? await taskLag() : null
  const invariants = missing.length === 0 ? await newestCheck() : 'unknown'
  const clocks = missing.length === 0 ? await stalledClocks() : 'unknown'
  const ready = missing.length === 0
  const tasks = lag === null ? 'unknown' : lag.ofWork <= mostLagSeconds ? 'ok' : `late by ${lag.ofWork} s`
  const { inngest, payments, ...services } = missing.length === 0 ? await serviceStates() : {}
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

/**
 * By how many seconds the oldest task is late: of all, those that wait with a task server included; and of the queue `work`,
 * which depends on us alone. A receiver or a mail server that is slow holds up its own queue only.
 */
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

async function stalledClocks(): Promise<string> {
  const { stalled, stalledForSeconds, waitingForStalled } = await advancingClocks()
  if (stalled === 0) return 'ok'
  return `${stalled} being moved without progress, for ${stalledForSeconds} s; ${waitingForStalled} tasks wait`
}

/** A new installation counts as ok until its first check is overdue. */
async function newestCheck(): Promise<string> {
  const { day, ageSeconds, broken } = await watchedCheck()
  if (day !== null && broken.length > 0) return `broken on ${day}: ${broken.join('; ')}`
  if (ageSeconds <= mostHoursBetweenChecks * 3_600) return 'ok'
  return day === null ? 'never checked' : `not checked since ${day}`
}
