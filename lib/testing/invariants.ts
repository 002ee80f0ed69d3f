import { invariants } from '../modules/invariants/queries/index.ts'
import { lastingConnection } from './lasting-connection.ts'

// One statement checks all invariants, because a hundred round trips after each step would take longer than the step.
export const allInvariants = invariants
  .map(
    ({ of, name, query }) =>
      `SELECT '${of} ${name}' AS name, array_agg(DISTINCT id::text) AS ids FROM (${query}) found HAVING count(*) > 0`,
  )
  .join(' UNION ALL ')

// All checks run on one connection, which keeps the plan of the statement, because planning takes several times as long
// as running.
const runQuery = lastingConnection('')

export async function brokenInvariants(): Promise<Record<string, readonly string[]>> {
  const broken = await runQuery<{ name: string; ids: string[] }>({ name: 'invariants', text: allInvariants })
  return Object.fromEntries(broken.map(({ name, ids }) => [name, ids]))
}

export const brokenAtRest = () => brokenInvariants()
