import { db } from '../platform/db/db.ts'
import { replaceConnections } from '../platform/db/pool.ts'
import { requirementProblem, requirementsStatement } from '../platform/db/requirements.mjs'

class UnusableDatabase extends Error {
  override name = 'UserFacingError'
}

/** Why the database cannot be used, in one sentence; null if it can. Throws if the database does not respond. */
export async function databaseProblem(): Promise<string | null> {
  const [found] = await db().$queryRawUnsafe<Parameters<typeof requirementProblem>[0][]>(requirementsStatement)
  if (!found) throw new Error('the database answered nothing')
  // After a failover the address may lead to another server.
  if (found.isReadOnly) replaceConnections()
  return requirementProblem(found)
}

export async function requireUsableDatabase(): Promise<void> {
  const problem = await databaseProblem()
  if (problem !== null) throw new UnusableDatabase(problem)
}
