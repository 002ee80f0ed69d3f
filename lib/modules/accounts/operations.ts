import { createHash } from 'node:crypto'
import type { KeyScope } from '../../kernel/key-scope.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import { newId, randomBase62 } from '../../platform/crypto/identity.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { audited } from '../audit/audited.ts'
import { commandLine } from '../audit/command-line.ts'
import { writeAudit } from '../audit/write.ts'
import { type Transaction, transact } from '../events/transact.ts'
import * as keyStore from './key-store.ts'
import { checkedKeyName, checkedName } from './rules/name.ts'
import * as store from './store.ts'

const typed = (tenant: Tenant, action: string, subject: string): RequestContext =>
  audited<Partial<IssuedKey>>(tenant, commandLine(), { action, subject, after: whatIsAudited })

export interface IssuedKey {
  readonly keyId: string
  readonly scope: KeyScope
  readonly name: string | null
  /** The secret. It is not stored and cannot be read again. */
  readonly key: string
}

/** Queues the emails about an issued key in the transaction that issues the key. `hint` is the first 8 characters of the key. */
export type Announce = (tx: Transaction, issued: { readonly hint: string; readonly scope: KeyScope }) => Promise<void>

/** The audit entry omits the secret, and also the name, because the name can contain personal data. */
export const whatIsAudited = ({ keyId, scope }: Partial<IssuedKey>) => ({ keyId, scope })

const hintOf = (key: string) => key.slice(0, 8)

export async function createMerchant({ name }: { name: string }): Promise<{ merchantId: string }> {
  const now = realNow()
  const merchant = { id: newId('merchant_', now), name: checkedName(name), createdAt: now }
  return db().$transaction(async (sql) => {
    await store.insertMerchant(sql, merchant)
    const change = { action: 'merchant.create', subject: merchant.id, before: null, after: null }
    await writeAudit(sql, commandLine(), change)
    return { merchantId: merchant.id }
  })
}

/** The result contains the secrets of the new keys, which cannot be read again. */
export async function createStorefront({ merchantId, name }: { merchantId: string; name: string }) {
  const now = realNow()
  const storefront = { id: newId('storefront_', now), merchantId, name: checkedName(name), createdAt: now }
  return db().$transaction(async (sql) => {
    if (!(await store.merchantExists(sql, merchantId))) throw invalid('merchant', 'There is no merchant with this id.')
    await store.insertStorefront(sql, storefront)
    const first = { storefrontId: storefront.id, scope: 'full', name: null, expiresAt: null } as const
    const test = await issueKey(sql, { ...first, testmode: true })
    const live = await issueKey(sql, { ...first, testmode: false })
    const change = { action: 'storefront.create', subject: storefront.id, before: null }
    await writeAudit(sql, commandLine(), { ...change, after: { merchantId, keyIds: [test.keyId, live.keyId] } })
    return { storefrontId: storefront.id, testKey: test.key, liveKey: live.key }
  })
}

interface NewKey extends Tenant {
  readonly scope: KeyScope
  /** The lifetime of the key in milliseconds of real time. If this value is omitted, the key does not expire. */
  readonly expiresInMs?: number
  readonly name?: string
}

export const listStorefronts = async ({ limit = 50 }: { limit?: number } = {}) =>
  (await store.pageOfStorefronts(db(), { limit })).rows.map(({ id, name, merchant, suspension, heldAt }) => ({
    storefrontId: id,
    name,
    merchantId: merchant.id,
    merchant: merchant.name,
    suspendedSince: suspension?.since ?? null,
    onHoldSince: heldAt,
  }))

/** Issues an API key. Throws `validation_failed` on `name` or `storefront`. */
export async function createKey(
  { storefrontId, testmode, scope, expiresInMs, name: typedName = '' }: NewKey,
  call = typed({ storefrontId, testmode }, 'key.create', storefrontId),
  announce: Announce | null = null,
): Promise<IssuedKey> {
  const name = checkedKeyName(typedName)
  await store.requireStorefront(db(), storefrontId)
  return transact(call, async (tx) => {
    const expiresAt = expiresInMs === undefined ? null : new Date(realNow().getTime() + expiresInMs)
    const issued = await issueKey(tx.sql, { storefrontId, testmode, scope, name, expiresAt })
    await announce?.(tx, { hint: hintOf(issued.key), scope })
    return issued
  })
}

export async function listKeys(storefrontId: string): Promise<keyStore.StoredApiKey[]> {
  await store.requireStorefront(db(), storefrontId)
  return keyStore.keysOf(db(), storefrontId)
}

/** If `of` is set, the key must belong to this storefront and mode. If `of` is omitted, the key can belong to any storefront. */
interface EndedKey {
  readonly keyId: string
  readonly of?: Tenant
  /** The context of the audit entry. The default is the context of the command line. */
  readonly call?: RequestContext
  readonly announce?: Announce
}

/** Revokes an API key, even while the storefront is on hold, because a leaked key can read data. Throws `not_found` or `key_revoked`. */
export async function revokeKey(ended: EndedKey): Promise<void> {
  await db().$transaction(async (sql, withCommit) => {
    const key = await usableKey(sql, ended)
    await keyStore.endKey(sql, key.id, { revokedAt: realNow() })
    const { answer } = ended.call ?? typed(key, 'key.revoke', key.id)
    const last = await answer?.(sql, {})
    if (last) withCommit(last)
  })
}

const dayMs = 24 * 3_600_000

interface ReplacedKey extends EndedKey {
  readonly mayIssue?: (scope: KeyScope) => boolean
}

/**
 * Issues a key with the scope and the name of the old key. The old key expires after `overlapMs` milliseconds of real time, unless it
 * expires earlier. Throws `not_found`, `key_revoked`, or `scope_beyond_role`.
 */
export async function rotateKey(
  ended: ReplacedKey,
  overlapMs = dayMs,
): Promise<IssuedKey & { readonly oldKeyExpiresAt: Date }> {
  const call = ended.call ?? typed(await tenantOf(ended.keyId), 'key.rotate', ended.keyId)
  return transact(call, async (tx) => {
    const { sql } = tx
    const { id, storefrontId, testmode, scope, name, expiresAt } = await usableKey(sql, ended)
    if (ended.mayIssue?.(scope) === false) throw new Refusal('scope_beyond_role')
    const overlapEnds = new Date(realNow().getTime() + overlapMs)
    const oldKeyExpiresAt = expiresAt && expiresAt < overlapEnds ? expiresAt : overlapEnds
    await keyStore.endKey(sql, id, { expiresAt: oldKeyExpiresAt })
    const issued = await issueKey(sql, { storefrontId, testmode, scope, name, expiresAt: null })
    await ended.announce?.(tx, { hint: hintOf(issued.key), scope })
    return { ...issued, oldKeyExpiresAt }
  })
}

/** Renames an API key, even a revoked or expired key. An empty name removes the name. Throws `not_found` or `validation_failed`. */
export async function renameKey(
  { keyId, of, call }: Omit<EndedKey, 'announce'>,
  typedName: string,
): Promise<{ keyId: string; name: string | null }> {
  const name = checkedKeyName(typedName)
  const context = call ?? renamed(of ?? (await tenantOf(keyId)), keyId)
  return transact(context, async ({ sql }) => {
    await ownedKey(sql, { keyId, ...(of && { of }) })
    await keyStore.renameKey(sql, keyId, name)
    return { keyId, name }
  })
}

const renamed = (tenant: Tenant, subject: string) =>
  audited<unknown>(tenant, commandLine(), { action: 'key.rename', subject })

async function tenantOf(keyId: string): Promise<Tenant> {
  const tenant = await keyStore.tenantOfKey(db(), keyId)
  if (!tenant) throw new Refusal('not_found')
  return tenant
}

async function ownedKey(sql: Sql, { keyId, of }: EndedKey): Promise<keyStore.StoredApiKey> {
  const key = await keyStore.lockKey(sql, keyId)
  const isTheirs = !of || (key?.storefrontId === of.storefrontId && key.testmode === of.testmode)
  if (!key || !isTheirs) throw new Refusal('not_found')
  return key
}

async function usableKey(sql: Sql, ended: EndedKey): Promise<keyStore.StoredApiKey> {
  const key = await ownedKey(sql, ended)
  if (key.revokedAt || (key.expiresAt && key.expiresAt <= realNow())) throw new Refusal('key_revoked')
  return key
}

/** 40 random base62 characters (238 bits) cannot be guessed, so a fast hash is enough to protect the secret. */
async function issueKey(
  sql: Sql,
  { expiresAt, ...key }: Tenant & Pick<keyStore.StoredApiKey, 'scope' | 'name' | 'expiresAt'>,
): Promise<IssuedKey> {
  const now = realNow()
  const secret = `${key.testmode ? 'test' : 'live'}_${randomBase62(40)}`
  const keyId = newId('key_', now)
  const hash = new Uint8Array(createHash('sha256').update(secret).digest())
  await keyStore.insertKey(sql, { ...key, id: keyId, hint: hintOf(secret), createdAt: now, expiresAt }, hash)
  return { keyId, scope: key.scope, name: key.name, key: secret }
}
