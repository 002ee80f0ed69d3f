import { createHash, randomUUID } from 'node:crypto'
import { Refusal } from '../../kernel/refusal.ts'
import { ownedBy, ownedRows, type Tenant } from '../clock/clock.ts'
import { seal, unsealIfOpenable } from '../crypto/sealed.ts'
import { db } from '../db/db.ts'
import { fragment } from '../db/fragment.ts'
import { inSteps } from '../db/in-steps.ts'
import type { LastChange } from '../db/last-change.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { log } from '../log.ts'

export const answersKeptHours = 24

export interface Answer {
  readonly status: number
  readonly body: string | null
}

interface Request {
  readonly tenant: Tenant
  readonly method: string
  /** The route template. A key is scoped to its route. */
  readonly route: string
  readonly key: string
  readonly fingerprint: Uint8Array<ArrayBuffer>
}

/** A request that has leased its key. Until the lease ends, no other request can store a response under the key. */
export interface Claim extends Request {
  readonly claim: string
}

const leaseSeconds = 8
const renewEveryMs = 2_000

const abandoned = new Set<string>()

export function fingerprint(method: string, pathAndQuery: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const hash = createHash('sha256').update(method).update('\n').update(pathAndQuery).update('\n').update(body)
  return new Uint8Array(hash.digest())
}

/**
 * Claims the key in a separate transaction, or returns the stored response of the last 24 hours. A retry may take over
 * a claim whose lease has ended. If this process has abandoned a claim, any request may take over the claim, even with
 * another body, because the abandoned request stored no response. Refuses with `idempotency_mismatch`,
 * `idempotency_in_progress`, or, if the response was encrypted with a lost key, `idempotency_answer_lost`.
 */
export async function claimKey(request: Request): Promise<Claim | Answer> {
  const claim = { ...request, claim: randomUUID() }
  const claimed = await unlessAway(claim, () => insertClaim(claim))
  if (claimed === 1) return claim
  const row = await db().idempotency_keys.findUnique({
    where: rowOf(request),
    select: { fingerprint: true, status: true, body: true },
  })
  if (!row) throw new Refusal('idempotency_in_progress')
  if (!Buffer.from(row.fingerprint).equals(request.fingerprint)) throw new Refusal('idempotency_mismatch')
  if (row.status === null) throw new Refusal('idempotency_in_progress')
  if (row.body === null) return { status: row.status, body: null }
  const body = unsealIfOpenable(Buffer.from(row.body, 'base64'), sealedAt(request))
  if (body === null) throw new Refusal('idempotency_answer_lost', {}, { details: { status: row.status } })
  return { status: row.status, body }
}

/** Commits asynchronously: a crash of the database that loses the claim also loses all changes of the request. */
function insertClaim({ tenant, method, route, key, fingerprint, claim }: Claim): Promise<number> {
  return db().$executeRaw`
    INSERT INTO idempotency_keys (storefront_id, testmode, method, route, key, fingerprint, claim, leased_until, created_at)
    SELECT ${tenant.storefrontId}, ${tenant.testmode}::boolean, ${method}, ${route}, ${key}, ${fingerprint}::bytea, ${claim},
      clock_timestamp() + ${leaseSeconds}::int * interval '1 second', clock_timestamp()
    FROM set_config('synchronous_commit', 'off', true)
    ON CONFLICT (storefront_id, testmode, method, route, key) DO UPDATE
      SET fingerprint = EXCLUDED.fingerprint, claim = EXCLUDED.claim, leased_until = EXCLUDED.leased_until,
        status = NULL, body = NULL, created_at = EXCLUDED.created_at
      WHERE idempotency_keys.created_at < clock_timestamp() - ${answersKeptHours}::int * interval '1 hour'
        OR (idempotency_keys.status IS NULL AND idempotency_keys.leased_until < clock_timestamp()
          AND idempotency_keys.fingerprint = EXCLUDED.fingerprint)
        OR (idempotency_keys.status IS NULL AND idempotency_keys.claim = ANY (${[...abandoned]}::text[]))`
}

/** Identifies a request and its retries. The idempotency key alone is not enough, because a client may use an expired key for another request. */
export const identityOf = ({ key, fingerprint }: Pick<Request, 'key' | 'fingerprint'>): string =>
  `${key} ${Buffer.from(fingerprint).toString('base64url')}`

/** Stores the response with the COMMIT. Refuses with `idempotency_in_progress` if another request has taken the key. */
export function storedAnswer(claim: Claim, { status, body }: Answer): LastChange {
  const { tenant, method, route, key } = claim
  const sealed = body === null ? null : Buffer.from(seal(body, sealedAt(claim))).toString('base64')
  return {
    change: fragment`
      UPDATE idempotency_keys SET status = ${status}, body = ${sealed}
      WHERE ${ownedRows(tenant)} AND method = ${method} AND route = ${route}
        AND key = ${key} AND claim = ${claim.claim} AND status IS NULL`,
    must: { rows: 1, otherwise: () => new Refusal('idempotency_in_progress') },
  }
}

export async function whileRenewed<Result>(claim: Claim, work: () => Promise<Result>): Promise<Result> {
  let renewing = false
  const renewal = setInterval(async () => {
    if (renewing) return
    renewing = true
    try {
      await renew(claim)
    } catch (error) {
      // The failure is only logged, because the next renewal of the lease may succeed. If another request claims the
      // key, the response of this request is not stored.
      log.warn({ error: String(error) }, 'the lease of an idempotency key could not be renewed')
    }
    renewing = false
  }, renewEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
  }
}

function renew({ tenant, method, route, key, claim }: Claim): Promise<number> {
  return db().$executeRaw`
    UPDATE idempotency_keys SET leased_until = clock_timestamp() + ${leaseSeconds}::int * interval '1 second'
    WHERE ${ownedRows(tenant)} AND method = ${method} AND route = ${route}
      AND key = ${key} AND claim = ${claim} AND status IS NULL`
}

export async function releaseKey(claim: Claim): Promise<void> {
  const { storefront_id, testmode, method, route, key } = rowOf(claim).storefront_id_testmode_method_route_key
  await unlessAway(claim, () =>
    db().idempotency_keys.deleteMany({
      where: { storefront_id, testmode, method, route, key, claim: claim.claim, status: null },
    }),
  )
}

/**
 * If the database is unavailable, this process remembers the claim as abandoned until its lease ends, so that a retry
 * can take over the claim.
 */
async function unlessAway<Result>({ claim }: Claim, end: () => Promise<Result>): Promise<Result> {
  try {
    return await end()
  } catch (error) {
    if (isUnavailable(error)) {
      abandoned.add(claim)
      setTimeout(() => abandoned.delete(claim), leaseSeconds * 1_000).unref()
    }
    throw error
  }
}

/** Stored responses contain links and personal data, so each response is encrypted and bound to its row. */
export const sealedAt = ({
  tenant,
  method,
  route,
  key,
}: Pick<Request, 'tenant' | 'method' | 'route' | 'key'>): string =>
  ['idempotency_keys', tenant.storefrontId, tenant.testmode, method, route, key].join('|')

const rowOf = ({ tenant, method, route, key }: Request) => ({
  storefront_id_testmode_method_route_key: {
    ...ownedBy(tenant),
    method,
    route,
    key,
  },
})

const batch = 500

interface StoredRow {
  readonly method: string
  readonly route: string
  readonly key: string
  readonly body: string
}

/** Rewrites the stored responses of a tenant in small steps. `change` must be idempotent. */
export async function rewriteAnswers(tenant: Tenant, change: (body: string) => string): Promise<void> {
  for (let after = { method: '', route: '', key: '' }; ; ) {
    const rows = await db().$queryRaw<StoredRow[]>`
      SELECT method, route, key, body FROM idempotency_keys
      WHERE ${ownedRows(tenant)} AND body IS NOT NULL
        AND (method, route, key) > (${after.method}, ${after.route}, ${after.key})
      ORDER BY method, route, key LIMIT ${batch}::int`
    for (const row of rows) await rewriteAnswer(tenant, row, change)
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = last
  }
}

/** Reads the response again if it was changed in the meantime, for example because `secret-key renew` encrypted it again. */
async function rewriteAnswer(
  tenant: Tenant,
  { method, route, key, body }: StoredRow,
  change: (body: string) => string,
) {
  const place = sealedAt({ tenant, method, route, key })
  for (let stored: string | null | undefined = body; stored; ) {
    const before = unsealIfOpenable(Buffer.from(stored, 'base64'), place)
    const changed = before === null ? null : change(before)
    if (changed === null || changed === before) return
    const sealed = Buffer.from(seal(changed, place)).toString('base64')
    const rewritten = await db().$executeRaw`
      UPDATE idempotency_keys SET body = ${sealed}
      WHERE ${ownedRows(tenant)} AND method = ${method} AND route = ${route}
        AND key = ${key} AND body = ${stored}`
    if (rewritten === 1) return
    const where = { ...ownedBy(tenant), method, route, key }
    stored = (await db().idempotency_keys.findFirst({ where, select: { body: true } }))?.body
  }
}

export const deleteOldAnswers = (): Promise<number> =>
  inSteps(
    (limit) => db().$executeRaw`
      DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM idempotency_keys WHERE created_at < (SELECT clock_timestamp()) - ${answersKeptHours}::int * interval '1 hour'
        ORDER BY created_at LIMIT ${limit}::int))`,
  )
