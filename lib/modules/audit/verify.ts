import { auditMacs } from '../../platform/crypto/sealed.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { hashedText, headText } from './rules/entry.ts'
import { entries, findEnd, findHead, type Head } from './store.ts'
import { beginning, hex } from './write.ts'

const batch = 1000

export interface Verification {
  readonly entries: number
  /** The number of the first entry that does not follow from the one before, or that is missing; null if all are there. */
  readonly brokenAt: number | null
  /** The number and hash of the last entry. A copy kept elsewhere shows whether the log was reset later. */
  readonly last: string | null
}

/** Checks every keyed hash of the audit log, and that the last entry of the log is the entry that the head names. */
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
    // Entries written after the head was read follow the head, so only a missing head entry means a cut log.
    const isCut = head ? head.seq > seq : seq > 0n
    return isCut
      ? { entries: Number(seq), brokenAt: Number(seq + 1n), last: null }
      : { entries: Number(seq), brokenAt: null, last: seq > 0n ? `${seq}:${previous}` : null }
  }
}

/** The last entry of the log, and whether it is the last written entry. Earlier entries are not checked. */
export interface AuditEnd {
  readonly last: string
  /** False if entries were cut off, if the end was changed, or if the key of the end is not set. */
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
