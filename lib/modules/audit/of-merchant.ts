import type { Sql } from '../../platform/db/db.ts'
import type { Actor } from './rules/entry.ts'
import { type AuditTopic, actionsOf } from './rules/topics.ts'
import type { StoredEntry } from './store.ts'

/** The audit entries of one merchant: those of its members, and those about its storefronts. */
export interface MerchantEntries {
  readonly memberIds: string[]
  readonly storefrontIds: string[]
  /** Only entries of this member. */
  readonly memberId: string | null
  readonly topic: AuditTopic | null
  /** Only entries from this moment on. */
  readonly since: Date | null
  /** Only entries before this moment. */
  readonly until: Date | null
  /** Only entries before this number. */
  readonly before: bigint | null
}

interface Row {
  seq: bigint
  at: Date
  kind: Actor['kind']
  actorId: string
  address: string | null
  action: string
  subject: string
  before: unknown
  after: unknown
  hash: Uint8Array
}

/** A decision on a plan or product of a merchant. */
export interface ReviewDecision {
  readonly subject: string
  readonly name: string
  readonly at: Date
  /** Why it was rejected; null if it was approved. */
  readonly rejectionReason: string | null
}

/** The newest decisions on the live plans and products of storefronts. Looks at the newest 200 of these. */
export const decisionsOf = (sql: Sql, storefrontIds: readonly string[], take: number): Promise<ReviewDecision[]> =>
  sql.$queryRaw`
    SELECT entry.subject, entry.after->>'name' AS name, entry.at, entry.after->>'reason' AS "rejectionReason" FROM (
      SELECT id FROM products WHERE storefront_id = ANY(${[...storefrontIds]}) AND NOT testmode
      ORDER BY created_at DESC LIMIT 200) item CROSS JOIN LATERAL (
      SELECT seq, at, subject, after FROM audit_entries
      WHERE subject = item.id AND action IN ('review.approve', 'review.reject') ORDER BY seq DESC LIMIT ${take}::int) entry
    ORDER BY entry.seq DESC LIMIT ${take}::int`

/** At most `take` entries, newest first. */
export async function entriesOfMerchant(
  sql: Sql,
  { memberIds, storefrontIds, memberId, topic, since, until, before }: MerchantEntries,
  take: number,
): Promise<StoredEntry[]> {
  const patterns = topic && actionsOf(topic)
  const rows = await sql.$queryRaw<Row[]>`
    SELECT seq, at, actor_kind AS kind, actor_id AS "actorId", address, action, subject, before, after, hash FROM audit_entries
    WHERE (actor_id = ANY(${memberIds}) OR subject = ANY(${storefrontIds}))
      AND (${memberId}::text IS NULL OR actor_id = ${memberId})
      AND (${patterns}::text[] IS NULL OR action LIKE ANY(${patterns}))
      AND (${since}::timestamptz IS NULL OR at >= ${since}) AND (${until}::timestamptz IS NULL OR at < ${until})
      AND (${before}::bigint IS NULL OR seq < ${before})
    ORDER BY seq DESC LIMIT ${take}`
  return rows.map(({ kind, actorId, address, ...row }) => ({ ...row, actor: { kind, id: actorId, address } }))
}
