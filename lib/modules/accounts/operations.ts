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

/** A change of keys at the command line. */
const typed = (tenant: Tenant, action: string, subject: string): RequestContext =>
  audited<Partial<IssuedKey>>(tenant, commandLine(), { action, subject, after: whatIsAudited })

export interface IssuedKey {
  readonly keyId: string
  readonly scope: KeyScope
  /** What a person calls the key. */
  readonly name: string | null
  /** Shown only now. */
  readonly key: string
}

/** Emails about an issued key, in the transaction that issues it. `hint`: the characters that the list of keys shows. */
export type Announce = (tx: Transaction, issued: { readonly hint: string; readonly scope: KeyScope }) => Promise<void>

/** The audit entry for an issued or ended key. The entry never contains the key, nor its name, which a person may have chosen freely. */
export const whatIsAudited = ({ keyId, scope }: Partial<IssuedKey>) => ({ keyId, scope })

const hintOf = (key: string) => key.slice(0, 8)

/** Creates a merchant at the command line: a company that sells through the service. The name has 1 to 255 characters. */
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

/** Creates a storefront at the command line, with its first key for each mode. The keys are shown only now and stored as hashes. */
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
  /** Counts real time from now; a key without it does not expire. */
  readonly expiresInMs?: number
  /** What a person calls the key: at most 60 characters. */
  readonly name?: string
}

/** Creates a further key for a storefront's mode, shown only now. Refuses `validation_failed` on `name`. */
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

/** The keys of a storefront, newest first, without the keys themselves. */
export async function listKeys(storefrontId: string): Promise<keyStore.StoredApiKey[]> {
  await store.requireStorefront(db(), storefrontId)
  return keyStore.keysOf(db(), storefrontId)
}

/** A key to end. `of`: the storefront that must own the key; absent for any storefront. */
interface EndedKey {
  readonly keyId: string
  readonly of?: Tenant
  /** The context that writes the audit entry; by default that of the command line. */
  readonly call?: RequestContext
  readonly announce?: Announce
}

/**
 * Revokes a key now (within a second, in every process). Refuses `not_found` and `key_revoked`. It is no `transact`, which
 * fails while the storefront is on hold: a key that leaked still reads there, and must not outlive a long move.
 */
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

/** A key that is to be replaced. `mayIssue`: whether the person may issue a key with its scope; without it, everybody may. */
interface ReplacedKey extends EndedKey {
  readonly mayIssue?: (scope: KeyScope) => boolean
}

/**
 * Issues a new key of the same scope and name and sets the old one's expiry, `overlapMs` of real time from now, in one transaction: a merchant's
 * programs change over meanwhile. An earlier expiry that the old key already has stays. Refuses `not_found`,
 * `key_revoked` and `scope_beyond_role`.
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

/** Changes the name of a key, also of an ended one. An empty name removes it. Refuses `not_found`, and `validation_failed` on `name`. */
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

/** 40 characters of base62: 238 bits, so that a fast hash is enough to store it. */
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
