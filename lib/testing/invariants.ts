import { invariants } from '../modules/invariants/queries/index.ts'
import { db } from '../platform/db/db.ts'

// All in one statement: tests run them after each step, and a hundred round trips would take longer than the step.
const all = invariants
  .map(
    ({ of, name, query }) =>
      `SELECT '${of} ${name}' AS name, array_agg(DISTINCT id::text) AS ids FROM (${query}) found HAVING count(*) > 0`,
  )
  .join(' UNION ALL ')

/** The violated invariants, with the ids of the violating rows. */
export async function brokenInvariants(): Promise<Record<string, readonly string[]>> {
  const broken = await db().$queryRawUnsafe<{ name: string; ids: string[] }[]>(all)
  return Object.fromEntries(broken.map(({ name, ids }) => [name, ids]))
}

/** Also between a crash and the recovery from it: they hold at every moment. */
export const brokenAtRest = () => brokenInvariants()
