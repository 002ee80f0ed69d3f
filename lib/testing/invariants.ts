import { invariants } from '../modules/invariants/queries/index.ts'
import { lastingConnection } from './lasting-connection.ts'

// All in one statement: tests run them after each step, and a hundred round trips would take longer than the step.
const all = invariants
  .map(
    ({ of, name, query }) =>
      `SELECT '${of} ${name}' AS name, array_agg(DISTINCT id::text) AS ids FROM (${query}) found HAVING count(*) > 0`,
  )
  .join(' UNION ALL ')

// Planning the statement takes several times as long as running it.
const runQuery = lastingConnection('')

/** The violated invariants, with the ids of the violating rows. */
export async function brokenInvariants(): Promise<Record<string, readonly string[]>> {
  const broken = await runQuery<{ name: string; ids: string[] }>({ name: 'invariants', text: all })
  return Object.fromEntries(broken.map(({ name, ids }) => [name, ids]))
}

/** Also between a crash and the recovery from it: they hold at every moment. */
export const brokenAtRest = () => brokenInvariants()
