import { db } from '../platform/db/db.ts'

/**
 * Returns a fingerprint of the rows of each table. Excludes the stored responses of idempotency keys, the hashes of
 * previews, and the last use of API keys. Even a request that is refused or changes nothing writes these rows.
 */
export async function allRows(): Promise<Record<string, string>> {
  const tables = await db().$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('idempotency_keys', 'change_previews') ORDER BY 1`
  const each = tables.map(({ name }) => {
    const row = name === 'api_keys' ? "(to_jsonb(t) - 'last_used_at')::text" : 't::text'
    return `SELECT '${name}' AS name, count(*) || ' rows ' || md5(coalesce(string_agg(${row}, '' ORDER BY ${row}), '')) AS state FROM "${name}" t`
  })
  const states = await db().$queryRawUnsafe<{ name: string; state: string }[]>(each.join(' UNION ALL '))
  return Object.fromEntries(states.map(({ name, state }) => [name, state]))
}
