import { db } from '../../platform/db/db.ts'
import { entries, type StoredEntry } from './store.ts'
import { beginning, hashOf } from './write.ts'

const batch = 1000

export interface Verification {
  readonly entries: number
  /** The number of the first entry that does not follow from the one before; null if all do. */
  readonly brokenAt: number | null
  /** The number and hash of the last entry: kept elsewhere, they show whether the end was cut off since. */
  readonly last: string | null
}

/** For operators: checks every hash of the audit log, from the first entry on. */
export async function verifyAudit(): Promise<Verification> {
  let previous = beginning
  let seq = 0n
  for (;;) {
    const next = await entries(db(), { after: seq }, batch)
    for (const entry of next) {
      const hash = Buffer.from(hashOf(entry, previous)).toString('hex')
      const isNext = entry.seq === seq + 1n && hash === Buffer.from(entry.hash).toString('hex')
      if (!isNext) return { entries: Number(seq), brokenAt: Number(seq + 1n), last: null }
      previous = hash
      seq = entry.seq
    }
    if (next.length < batch)
      return { entries: Number(seq), brokenAt: null, last: seq > 0n ? `${seq}:${previous}` : null }
  }
}

/** A page of the audit log, the newest first, of one subject or of all; `before` is the number after which it begins. */
export const auditLog = (before: bigint | null, take: number, subject?: string): Promise<StoredEntry[]> =>
  entries(db(), { before, subject }, take)
