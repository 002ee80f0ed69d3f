import type { KeyScope } from '../../kernel/key-scope.ts'
import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'

export interface StoredApiKey {
  readonly id: string
  readonly storefrontId: string
  readonly testmode: boolean
  readonly scope: KeyScope
  /** `hint` is the first 8 characters of the key. */
  readonly hint: string
  readonly name: string | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
}

export async function insertKey(
  sql: Sql,
  key: Omit<StoredApiKey, 'revokedAt' | 'lastUsedAt'>,
  hash: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const { id, storefrontId, testmode, scope, hint, name, createdAt, expiresAt } = key
  const data = { id, storefront_id: storefrontId, testmode, scope, hash, hint, name }
  await sql.api_keys.create({ data: { ...data, created_at: createdAt, expires_at: expiresAt } })
}

export async function keysOf(sql: Sql, storefrontId: string): Promise<StoredApiKey[]> {
  const rows = await sql.api_keys.findMany({ where: { storefront_id: storefrontId }, orderBy: { id: 'desc' } })
  return rows.map(toKey)
}

export const hasKey = async (sql: Sql, tenant: Tenant): Promise<boolean> =>
  (await sql.api_keys.findFirst({ where: ownedBy(tenant), select: { id: true } })) !== null

export async function tenantOfKey(sql: Sql, id: string): Promise<Tenant | null> {
  const row = await sql.api_keys.findUnique({ where: { id }, select: { storefront_id: true, testmode: true } })
  return row && { storefrontId: row.storefront_id, testmode: row.testmode }
}

/** Locks the key, so that concurrent revocations and rotations run one after another. */
export async function lockKey(sql: Sql, id: string): Promise<StoredApiKey | null> {
  await sql.$queryRaw`SELECT 1 FROM api_keys WHERE id = ${id} FOR UPDATE`
  const row = await sql.api_keys.findUnique({ where: { id } })
  return row && toKey(row)
}

export async function endKey(sql: Sql, id: string, ends: { revokedAt: Date } | { expiresAt: Date }): Promise<void> {
  await sql.api_keys.update({
    where: { id },
    data: 'revokedAt' in ends ? { revoked_at: ends.revokedAt } : { expires_at: ends.expiresAt },
  })
}

export async function renameKey(sql: Sql, id: string, name: string | null): Promise<void> {
  await sql.api_keys.update({ where: { id }, data: { name } })
}

/**
 * Returns the name (or null) and the first 8 characters of each key. Ignores ids of other resources. If `storefrontId`
 * is set, ignores keys of other storefronts.
 */
export async function keyNames(
  sql: Sql,
  ids: readonly string[],
  storefrontId?: string,
): Promise<ReadonlyMap<string, Pick<StoredApiKey, 'name' | 'hint'>>> {
  const ofKeys = [...new Set(ids.filter((id) => id.startsWith('key_')))]
  if (ofKeys.length === 0) return new Map()
  const where = { id: { in: ofKeys }, ...(storefrontId !== undefined && { storefront_id: storefrontId }) }
  const rows = await sql.api_keys.findMany({ where, select: { id: true, name: true, hint: true } })
  return new Map(rows.map(({ id, name, hint }) => [id, { name, hint }]))
}

type Row = Awaited<ReturnType<Sql['api_keys']['findUniqueOrThrow']>>

const toKey = (row: Row): StoredApiKey => ({
  id: row.id,
  storefrontId: row.storefront_id,
  testmode: row.testmode,
  scope: row.scope,
  hint: row.hint,
  name: row.name,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
})
