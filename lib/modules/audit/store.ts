import { isOpenable } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import { dbNull } from '../../platform/db/db.ts'
import type { Entry } from './rules/entry.ts'

export interface StoredEntry extends Entry {
  readonly hash: Uint8Array
}

/** Locks the end of the log, so that concurrent transactions append their entries one after another. */
export async function lockEnd(
  sql: Sql,
): Promise<{ end: { seq: bigint; hash: Uint8Array } | null; readableFrom: bigint }> {
  await sql.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('audit_entries', 0))::text`
  const end = await sql.audit_entries.findFirst({ orderBy: { seq: 'desc' }, select: { seq: true, hash: true } })
  return { end, readableFrom: (await findHead(sql))?.readableFrom ?? 1n }
}

/** Whether the configured secret key is the key of this database. The log cannot be verified with another key. */
export async function isKeyKnown(sql: Sql): Promise<boolean> {
  const proof = await sql.key_proofs.findUnique({ where: { id: 1 } })
  return !proof || isOpenable(proof.sealed)
}

export interface Head {
  readonly seq: bigint
  /**
   * The number of the first entry whose keyed hash is checked. Earlier entries were written before `secret-key renew`,
   * or with a lost key.
   */
  readonly readableFrom: bigint
  readonly mac: Uint8Array<ArrayBuffer>
}

export async function findHead(sql: Sql): Promise<Head | null> {
  const row = await sql.audit_heads.findUnique({ where: { id: 1 } })
  return row && { seq: row.seq, readableFrom: row.readable_from, mac: row.mac }
}

/**
 * Reads the last entry and the row of `audit_heads` in one statement, because each append changes both. Returns null
 * for an empty log.
 */
export async function findEnd(sql: Sql): Promise<{ seq: bigint; hash: Uint8Array; head: Head | null } | null> {
  const [row] = await sql.$queryRaw<
    { seq: bigint; hash: Uint8Array; head: bigint | null; from: bigint; mac: Uint8Array<ArrayBuffer> }[]
  >`
    SELECT e.seq, e.hash, h.seq AS head, h.readable_from AS "from", h.mac
    FROM audit_entries e LEFT JOIN audit_heads h ON h.id = 1 ORDER BY e.seq DESC LIMIT 1`
  if (!row) return null
  const { seq, hash, head, from, mac } = row
  return { seq, hash, head: head === null ? null : { seq: head, readableFrom: from, mac } }
}

export async function saveHead(sql: Sql, { seq, readableFrom, mac }: Head): Promise<void> {
  const row = { seq, readable_from: readableFrom, mac }
  await sql.audit_heads.upsert({ where: { id: 1 }, create: { id: 1, ...row }, update: row })
}

export async function insertEntry(sql: Sql, entry: Entry, hash: Uint8Array<ArrayBuffer>): Promise<void> {
  const { seq, at, actor, action, subject, before, after } = entry
  const json = (value: unknown) => (value === null || value === undefined ? dbNull : (value as object))
  await sql.audit_entries.create({
    data: {
      seq,
      at,
      action,
      subject,
      hash,
      actor_kind: actor.kind,
      actor_id: actor.id,
      address: actor.address,
      before: json(before),
      after: json(after),
    },
    select: { seq: true },
  })
}

/** Returns the entries after the number `after` in ascending order, or the entries below the number `before` in descending order. */
export async function entries(
  sql: Sql,
  at: { after: bigint } | { before: bigint | null; subject?: string | undefined },
  take: number,
): Promise<StoredEntry[]> {
  const rows =
    'after' in at
      ? await sql.audit_entries.findMany({ where: { seq: { gt: at.after } }, orderBy: { seq: 'asc' }, take })
      : await sql.audit_entries.findMany({
          where: { ...(at.before !== null && { seq: { lt: at.before } }), ...(at.subject && { subject: at.subject }) },
          orderBy: { seq: 'desc' },
          take,
        })
  return rows.map((row) => ({
    seq: row.seq,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, address: row.address },
    action: row.action,
    subject: row.subject,
    before: row.before,
    after: row.after,
    hash: row.hash,
  }))
}
