import { ownedBy, ownedRows, type Tenant } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { seal, searchHashes, unsealIfOpenable } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import { holds, type Suppression, type SuppressionCause } from './rules/suppression.ts'

/** Suppressed addresses are stored encrypted and found by a keyed hash. */

export interface StoredSuppression extends Suppression, Words {
  readonly testmode: boolean
}

interface Words {
  readonly address: string | null
  readonly reason: string | null
}

const sealed = (id: string, words: Words) => seal(JSON.stringify(words), sealedAt(id))

export const sealedAt = (id: string) => `email_suppressions|${id}|sealed`

const whereOf = (tenant: Tenant, address: string) => ({
  ...ownedBy(tenant),
  address_hash: { in: searchHashes(address) },
})

export async function suppressionsOf(sql: Sql, tenant: Tenant, address: string): Promise<StoredSuppression[]> {
  const where = whereOf(tenant, address)
  return (await sql.email_suppressions.findMany({ where, orderBy: { cause: 'asc' } })).map(toSuppression)
}

export async function heldSuppressions(
  sql: Sql,
  storefrontId: string,
  testmode: boolean | undefined,
  take: number,
): Promise<StoredSuppression[]> {
  const where = { storefront_id: storefrontId, ...(testmode !== undefined && { testmode }) }
  const rows = await sql.email_suppressions.findMany({ where, orderBy: { noticed_at: 'desc' } })
  return rows.map(toSuppression).filter(holds).slice(0, take)
}

interface Noticed {
  readonly address: string
  readonly cause: SuppressionCause
  readonly reason: string | null
  readonly at: Date
}

/**
 * Ignores a notice that is older than the stored notice. Call this function in a transaction. Until the commit, an
 * advisory lock makes other notices about the address wait.
 */
export async function suppress(sql: Sql, tenant: Tenant, { address, cause, reason, at }: Noticed): Promise<void> {
  const where = { ...whereOf(tenant, address), cause }
  const [hash] = searchHashes(address)
  await sql.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(encode(${hash}, 'hex') || ${tenant.storefrontId}, 0))`
  const known = await sql.email_suppressions.findFirst({ where, select: { id: true, noticed_at: true } })
  if (known && known.noticed_at >= at) return
  const id = known?.id ?? newId('suppression_', at)
  const data = { noticed_at: at, sealed: sealed(id, { address, reason }) }
  if (known) await sql.email_suppressions.update({ where: { id }, data, select: { id: true } })
  else
    await sql.email_suppressions.create({
      data: { id, ...ownedBy(tenant), address_hash: hash, cause, ...data },
      select: { id: true },
    })
}

export async function liftSuppressions(sql: Sql, tenant: Tenant, address: string, at: Date): Promise<number> {
  const rows = await sql.email_suppressions.findMany({ where: whereOf(tenant, address) })
  const ids = rows.filter((row) => holds(toSuppression(row))).map(({ id }) => id)
  await sql.email_suppressions.updateMany({ where: { id: { in: ids } }, data: { lifted_at: at } })
  return ids.length
}

/**
 * Erases addresses and reasons. The suppressions stay in force, because the hashes are not erased. Hashes of a previous
 * key are replaced now, because no hash can be computed after its address is erased.
 */
export async function eraseSuppressions(sql: Sql, tenant: Tenant, addresses: ReadonlySet<string>): Promise<void> {
  // The order of the addresses is fixed, so that two erasures of the same addresses cannot cause a deadlock.
  for (const address of [...addresses].sort()) {
    const [hash] = searchHashes(address)
    for (const id of await lockSuppressions(sql, tenant, address)) {
      await dropOlderTwin(sql, id, hash)
      const data = { sealed: sealed(id, { address: null, reason: null }), address_hash: hash }
      await sql.email_suppressions.updateMany({ where: { id }, data })
    }
  }
}

/**
 * Returns the ids of the suppressions of an address and locks their rows until the commit. Without the lock, a
 * concurrent `secret-key renew` could give one row the hash that the erasure gives another row.
 */
async function lockSuppressions(sql: Sql, tenant: Tenant, address: string): Promise<string[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM email_suppressions
    WHERE ${ownedRows(tenant)} AND address_hash = ANY(${searchHashes(address)})
    ORDER BY id FOR UPDATE`
  return rows.map(({ id }) => id)
}

/**
 * Two processes with different current keys can each store a suppression of one address, with different hashes. Both
 * rows cannot get the hash of the current key, because the hash is unique. If the row `id` has such a twin with the
 * hash `hash`, deletes the row with the older notice.
 */
async function dropOlderTwin(sql: Sql, id: string, hash: Uint8Array<ArrayBuffer>): Promise<void> {
  await sql.$executeRaw`
    DELETE FROM email_suppressions older USING email_suppressions newer
    WHERE older.storefront_id = newer.storefront_id AND older.testmode = newer.testmode AND older.cause = newer.cause
      AND ((older.id = ${id} AND newer.address_hash = ${hash}) OR (newer.id = ${id} AND older.address_hash = ${hash}))
      AND (older.noticed_at, older.id) < (newer.noticed_at, newer.id)`
}

/**
 * Does the same as `dropOlderTwin`, but does not wait for a lock: throws the PostgreSQL error 55P03 if another
 * transaction has locked the twin.
 */
export async function dropOlderTwinAtOnce(sql: Sql, id: string, hash: Uint8Array<ArrayBuffer>): Promise<void> {
  await sql.$queryRaw`
    SELECT 1 FROM email_suppressions twin JOIN email_suppressions own USING (storefront_id, testmode, cause)
    WHERE own.id = ${id} AND twin.address_hash = ${hash} FOR UPDATE OF twin NOWAIT`
  await dropOlderTwin(sql, id, hash)
}

type Row = Awaited<ReturnType<Sql['email_suppressions']['findUniqueOrThrow']>>

const toSuppression = (row: Row): StoredSuppression => ({
  ...(JSON.parse(unsealIfOpenable(row.sealed, sealedAt(row.id)) ?? '{ "address": null, "reason": null }') as Words),
  testmode: row.testmode,
  cause: row.cause,
  noticedAt: row.noticed_at,
  liftedAt: row.lifted_at,
})
