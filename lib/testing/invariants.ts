import { invariants } from '../modules/invariants/queries/index.ts'
import { lastingConnection } from './lasting-connection.ts'

// One statement for all invariants: a hundred round trips after each step of a test would take longer than the step.
const all = invariants
  .map(
    ({ of, name, query }) =>
      `SELECT '${of} ${name}' AS name, array_agg(DISTINCT id::text) AS ids FROM (${query}) found HAVING count(*) > 0`,
  )
  .join(' UNION ALL ')

// Planning the statement takes several times as long as running it, so the connection keeps the plan.
const runQuery = lastingConnection('')

/** The violated invariants, each with the ids of the violating rows. */
export async function brokenInvariants(): Promise<Record<string, readonly string[]>> {
  const broken = await runQuery<{ name: string; ids: string[] }>({ name: 'invariants', text: all })
  return Object.fromEntries(broken.map(({ name, ids }) => [name, ids]))
}

/** Invariants hold at every moment, also between a crash and the recovery. */
export const brokenAtRest = () => brokenInvariants()
