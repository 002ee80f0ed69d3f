import { createHash } from 'node:crypto'
import type { Scope } from './clock.ts'
import { db } from './db.ts'

export interface Key extends Scope {
  readonly keyId: string
}

interface Seen {
  readonly key: Key | null
  readonly checkedAt: number
  readonly expiresAt: number
  lastUsedAt: number
}

const trustedForMs = 250
const seen = new Map<string, Seen>()

const keyHash = (key: string) => createHash('sha256').update(key).digest()

/**
 * The key of an `Authorization: Bearer` header, or null when it is missing, malformed, unknown, revoked or expired. A key
 * is looked up by its hash, at most four times a second per process: a revoked key ends within that time.
 */
export async function authenticate(authorization: string | null): Promise<Key | null> {
  const match = /^Bearer +((?:test|live)_[0-9A-Za-z]{40}) *$/i.exec(authorization ?? '')
  const token = match?.[1]
  if (!token) return null
  const hash = keyHash(token)
  const name = hash.toString('base64')
  const now = Date.now()
  let entry = seen.get(name)
  if (!entry || now - entry.checkedAt > trustedForMs) {
    entry = await look(hash, now)
    // Keys that are none are not remembered: whoever tries many must not push out those that are.
    if (entry.key) seen.set(name, entry)
    else seen.delete(name)
  }
  if (!entry.key || now >= entry.expiresAt) return null
  if (now - entry.lastUsedAt >= 60_000) {
    entry.lastUsedAt = now
    await db().api_keys.updateMany({ where: { id: entry.key.keyId }, data: { last_used_at: new Date(now) } })
  }
  return entry.key
}

async function look(hash: Buffer, now: number): Promise<Seen> {
  const row = await db().api_keys.findUnique({ where: { hash: new Uint8Array(hash) } })
  const usable = row !== null && row.revoked_at === null
  return {
    key: usable ? { keyId: row.id, storefrontId: row.storefront_id, testmode: row.testmode } : null,
    checkedAt: now,
    expiresAt: row?.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    lastUsedAt: row?.last_used_at?.getTime() ?? 0,
  }
}
