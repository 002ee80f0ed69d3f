import { auditMacs } from '../../platform/crypto/sealed.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { hashedText, headText } from './rules/entry.ts'
import { entries, findEnd, findHead, type Head } from './store.ts'
import { beginning, hex } from './write.ts'

const batch = 1000

export interface Verification {
  readonly entries: number
  readonly brokenAt: number | null
  /** The number and hash of the last entry. A copy outside the database shows later whether the log was replaced. */
  readonly last: string | null
}

/** Verifies the keyed hash of every readable entry (see `Head.readableFrom`), and that the log contains the entry that the head names. */
export async function verifyAudit(sql: Sql = db()): Promise<Verification> {
  const head = await findHead(sql)
  const from = head?.readableFrom ?? 1n
  let previous = beginning
  let seq = 0n
  for (;;) {
    const next = await entries(sql, { after: seq }, batch)
    for (const entry of next) {
      const hash = hex(entry.hash)
      const isWhole = entry.seq < from || auditMacs(hashedText(entry, previous)).some((mac) => hex(mac) === hash)
      const endsRight = entry.seq !== head?.seq || isHead(head, hash)
      if (entry.seq !== seq + 1n || !isWhole || !endsRight)
        return { entries: Number(seq), brokenAt: Number(seq + 1n), last: null }
      previous = hash
      seq = entry.seq
    }
    if (next.length === batch) continue
    // A last entry with a higher number than the head is no error, because entries can be appended after the head was read.
    const isCut = head ? head.seq > seq : seq > 0n
    return isCut
      ? { entries: Number(seq), brokenAt: Number(seq + 1n), last: null }
      : { entries: Number(seq), brokenAt: null, last: seq > 0n ? `${seq}:${previous}` : null }
  }
}

/** `last` is the number and hash of the last entry. The hashes of earlier entries are not verified. */
export interface AuditEnd {
  readonly last: string
  /** `isConfirmed` is false if the newest entries were deleted, the head was changed, or the key that made its hash is not configured. */
  readonly isConfirmed: boolean
}

export async function auditEnd(sql: Sql = db()): Promise<AuditEnd | null> {
  const end = await findEnd(sql)
  if (!end) return null
  const { seq, head } = end
  const hash = hex(end.hash)
  return { last: `${seq}:${hash}`, isConfirmed: head?.seq === seq && isHead(head, hash) }
}

const isHead = ({ seq, readableFrom, mac }: Head, hash: string): boolean =>
  auditMacs(headText({ seq, readableFrom, hash })).some((each) => hex(each) === hex(mac))
