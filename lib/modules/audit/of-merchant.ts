import type { Sql } from '../../platform/db/db.ts'
import type { Actor } from './rules/entry.ts'
import { type AuditTopic, actionsOf } from './rules/topics.ts'
import type { StoredEntry } from './store.ts'

export interface MerchantEntries {
  readonly memberIds: string[]
  readonly storefrontIds: string[]
  readonly memberId: string | null
  readonly topic: AuditTopic | null
  readonly since: Date | null
  readonly until: Date | null
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

export interface ReviewDecision {
  readonly subject: string
  readonly name: string
  readonly at: Date
  readonly rejectionReason: string | null
}

/**
 * `OFFSET 0` makes PostgreSQL look up the audit entries product by product. A plain join could read the whole log. `COLLATE` is needed to use the index on
 * `subject`, because product ids and `subject` have different collations.
 */
export const decisionsOf = (
  sql: Sql,
  { itemId, storefrontIds }: { readonly itemId: string; readonly storefrontIds: readonly string[] },
  take: number,
): Promise<ReviewDecision[]> =>
  sql.$queryRaw`
    SELECT entry.subject, entry.after->>'name' AS name, entry.at, entry.after->>'reason' AS "rejectionReason" FROM (
      SELECT ${itemId}::text AS id UNION
      SELECT newest.id FROM unnest(${[...storefrontIds]}::text[]) AS own (storefront_id)
        CROSS JOIN (VALUES ('subscription_plan'), ('one_off_product')) AS of (kind) CROSS JOIN LATERAL (
        SELECT id FROM products WHERE products.storefront_id = own.storefront_id AND testmode = false AND products.kind = of.kind
        ORDER BY id DESC LIMIT 50) newest) item CROSS JOIN LATERAL (
      SELECT seq, at, subject, after FROM audit_entries
      WHERE subject = item.id COLLATE "default" AND action IN ('review.approve', 'review.reject') OFFSET 0) entry
    ORDER BY entry.seq DESC LIMIT ${take}::int`

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
