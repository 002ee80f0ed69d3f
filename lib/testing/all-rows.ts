import { db } from '../platform/db/db.ts'

/**
 * A fingerprint of the rows of each table. Two equal results mean that nothing was written in between. The fingerprint
 * leaves out what a refused request may write: stored responses of idempotency keys, and the time a key was last used.
 */
export async function allRows(): Promise<Record<string, string>> {
  const tables = await db().$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'idempotency_keys' ORDER BY 1`
  const each = tables.map(({ name }) => {
    const row = name === 'api_keys' ? "(to_jsonb(t) - 'last_used_at')::text" : 't::text'
    return `SELECT '${name}' AS name, count(*) || ' rows ' || md5(coalesce(string_agg(${row}, '' ORDER BY ${row}), '')) AS state FROM "${name}" t`
  })
  const states = await db().$queryRawUnsafe<{ name: string; state: string }[]>(each.join(' UNION ALL '))
  return Object.fromEntries(states.map(({ name, state }) => [name, state]))
}
