import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { db } from './db.ts'

/** What an orchestrator asks before it sends traffic: each part is `ok` or says what is wrong. */
export interface Readiness {
  readonly ready: boolean
  readonly database: string
  readonly migrations: string
  /** Seconds by which the oldest due task is late. */
  readonly taskLagSeconds: number | null
}

const patienceMs = 1_000
const mostLagSeconds = 60

/** Ready: the database answers within a second, every migration is applied, and due tasks are at most a minute late. */
export async function readiness(): Promise<Readiness> {
  try {
    const [applied, lag] = await within(patienceMs, Promise.all([appliedMigrations(), taskLag()]))
    const missing = (await knownMigrations()).filter((name) => !applied.includes(name))
    const migrations = missing.length === 0 ? 'ok' : `missing: ${missing.join(', ')}`
    return { ready: missing.length === 0 && lag <= mostLagSeconds, database: 'ok', migrations, taskLagSeconds: lag }
  } catch {
    return { ready: false, database: 'does not answer', migrations: 'unknown', taskLagSeconds: null }
  }
}

async function appliedMigrations(): Promise<string[]> {
  const rows = await db().$queryRaw<
    { migration_name: string }[]
  >`SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL`
  return rows.map((row) => row.migration_name)
}

async function taskLag(): Promise<number> {
  const [row] = await db().$queryRaw<{ lag: number | null }[]>`
    SELECT extract(epoch FROM clock_timestamp() - min(ring_at))::float8 AS lag FROM tasks
    WHERE ring_at <= clock_timestamp() AND NOT (clock = 'storefront' AND EXISTS (
      SELECT 1 FROM clocks WHERE clocks.storefront_id = tasks.storefront_id AND advancing_to IS NOT NULL))`
  return Math.round(row?.lag ?? 0)
}

async function knownMigrations(): Promise<string[]> {
  const entries = await readdir(path.join(process.cwd(), 'prisma/migrations'), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), ms)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}
