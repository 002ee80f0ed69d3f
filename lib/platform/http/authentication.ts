import { createHash } from 'node:crypto'
import type { KeyScope } from '../../kernel/key-scope.ts'
import type { Tenant } from '../clock/clock.ts'
import { db, type Sql } from '../db/db.ts'
import { noteUse } from './key-use.ts'

export interface ApiKey extends Tenant {
  readonly keyId: string
  readonly scope: KeyScope
}

interface Seen {
  readonly key: ApiKey | null
  readonly checkedAt: number
  readonly expiresAt: number
  readonly lastUsedAt: number
}

const trustedForMs = 250
const seen = new Map<string, Seen>()

const keyHash = (key: string) => createHash('sha256').update(key).digest()

/**
 * The key of an `Authorization: Bearer` header, or null. A valid key is cached for 250 ms, so a revoked key can still
 * work for this time. If `mayLook` returns false, uncached keys are looked up together in one query, so that a flood of
 * invalid keys costs little.
 */
export async function authenticate(authorization: string | null, mayLook = () => true): Promise<ApiKey | null> {
  const match = /^Bearer +((?:test|live)_[0-9A-Za-z]{40}) *$/i.exec(authorization ?? '')
  const token = match?.[1]
  if (!token) return null
  const hash = keyHash(token)
  const name = hash.toString('hex')
  const now = Date.now()
  let entry = seen.get(name)
  if (!entry || now - entry.checkedAt > trustedForMs) {
    const known = entry !== undefined
    entry = known || mayLook() ? await lookUp(hash, now) : await lookUpBatched(name, now)
    // Invalid keys are not cached, so that a flood does not evict valid keys.
    if (entry?.key) seen.set(name, entry)
    else seen.delete(name)
  }
  if (!entry?.key || now >= entry.expiresAt) return null
  noteUse(entry.key.keyId, { at: now, recordedAt: entry.lastUsedAt })
  return entry.key
}

type Row = Pick<
  Awaited<ReturnType<Sql['api_keys']['findUniqueOrThrow']>>,
  'id' | 'storefront_id' | 'testmode' | 'scope' | 'revoked_at' | 'expires_at' | 'last_used_at'
>

const toSeen = (row: Row | null | undefined, now: number): Seen => ({
  key: row && row.revoked_at === null ? toApiKey(row) : null,
  checkedAt: now,
  expiresAt: row?.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
  lastUsedAt: row?.last_used_at?.getTime() ?? 0,
})

const toApiKey = ({ id, storefront_id, testmode, scope }: Row): ApiKey => ({
  keyId: id,
  storefrontId: storefront_id,
  testmode,
  scope: scope as KeyScope,
})

async function lookUp(hash: Buffer, now: number): Promise<Seen> {
  return toSeen(await db().api_keys.findUnique({ where: { hash: new Uint8Array(hash) } }), now)
}

/** Batched look-ups run one query at a time, after a pause, for at most `maxBatchSize` keys. */
const pauseMs = 50
const maxBatchSize = 500
let gathering: { readonly hashes: Set<string>; readonly found: Promise<Map<string, Row>> } | undefined
let lastFound: Promise<unknown> = Promise.resolve()

async function lookUpBatched(hash: string, now: number): Promise<Seen | undefined> {
  if (!gathering) {
    const hashes = new Set<string>()
    const pause = new Promise((resolve) => setTimeout(resolve, pauseMs))
    const found = Promise.all([pause, lastFound]).then(() => {
      gathering = undefined
      return rowsOf([...hashes])
    })
    gathering = { hashes, found }
    lastFound = found.catch(() => 'each caller gets the error')
  }
  const { hashes, found } = gathering
  if (hashes.size >= maxBatchSize && !hashes.has(hash)) return undefined
  hashes.add(hash)
  return toSeen((await found).get(hash), now)
}

async function rowsOf(hashes: readonly string[]): Promise<Map<string, Row>> {
  const rows = await db().$queryRaw<(Row & { name: string })[]>`
    SELECT encode(hash, 'hex') AS name, id, storefront_id, testmode, scope, revoked_at, expires_at, last_used_at FROM api_keys
    WHERE hash = ANY (SELECT decode(each, 'hex') FROM unnest(${hashes}::text[]) AS each)`
  return new Map(rows.map(({ name, ...row }) => [name, row]))
}
