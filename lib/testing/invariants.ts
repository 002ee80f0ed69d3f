import { invariants } from '../modules/invariants/queries/index.ts'
import { db } from '../platform/db/db.ts'

// All in one statement: tests ask after each thing that they do, and a hundred trips would take longer than the thing.
const all = invariants
  .map(
    ({ of, name, query }) =>
      `SELECT '${of} ${name}' AS name, array_agg(DISTINCT id::text) AS ids FROM (${query}) found HAVING count(*) > 0`,
  )
  .join(' UNION ALL ')

/** The invariants that do not hold, with the ids of what breaks them. */
export async function brokenInvariants(): Promise<Record<string, readonly string[]>> {
  const broken = await db().$queryRawUnsafe<{ name: string; ids: string[] }[]>(all)
  return Object.fromEntries(broken.map(({ name, ids }) => [name, ids]))
}

/** Between a crash and the recovery from it, too: they hold at every moment. */
export const brokenAtRest = () => brokenInvariants()
