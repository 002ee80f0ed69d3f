import type { Sql } from '../../platform/db/db.ts'
import type { Actor } from './rules/entry.ts'
import { type AuditTopic, actionsOf } from './rules/topics.ts'
import type { StoredEntry } from './store.ts'

/** The audit entries of one merchant: entries by its members, and entries about its storefronts. */
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
