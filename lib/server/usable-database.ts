import { db } from '../platform/db/db.ts'
import { replaceConnections } from '../platform/db/pool.ts'
import { poolerProblem, requirementProblem, requirementsStatement } from '../platform/db/requirements.mjs'
import { shared } from '../platform/shared.ts'
import { within } from '../platform/within.ts'
import { missingMigrations } from './migrations.ts'

class UnusableDatabase extends Error {
  override name = 'UserFacingError'
}

/**
 * Returns one sentence that says why the service cannot use the database, or null if it can. Throws if the database
 * does not respond.
 */
export async function databaseProblem(): Promise<string | null> {
  const [found] = await db().$queryRawUnsafe<Parameters<typeof requirementProblem>[0][]>(requirementsStatement)
  if (!found) throw new Error('the database returned no row')
  // After a failover, the host name may resolve to the new primary server, so new connections are opened.
  if (found.isReadOnly) replaceConnections()
  return requirementProblem(found)
}

export async function requireUsableDatabase(): Promise<void> {
  const problem = await databaseProblem().catch((error) => {
    const sentence = poolerProblem(error)
    if (sentence === null) throw error
    return sentence
  })
  if (problem !== null) throw new UnusableDatabase(problem)
}

const patienceMs = 1_000

/** Whether the database responds within a second, accepts writes, and has every migration. The result is at most a second old. Never throws. */
export const isDatabaseUsable = shared(patienceMs, () => within(patienceMs, hasNoProblem()).catch(() => false))

const hasNoProblem = async (): Promise<boolean> =>
  (await databaseProblem()) === null && (await missingMigrations()).length === 0
