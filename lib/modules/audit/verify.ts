import { createHash, type Hash } from 'node:crypto'
import { auditMacs } from '../../platform/crypto/sealed.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { hashedText, headText, type Renewal, renewal } from './rules/entry.ts'
import { entries, findEnd, findHead, type Head, type StoredEntry } from './store.ts'
import { beginning, hex } from './write.ts'

const batch = 1000

export interface Verification {
  readonly entries: number
  readonly brokenAt: number | null
  /** The number and hash of the last entry. A copy outside the database shows later whether the log was replaced. */
  readonly last: string | null
}

/** The state of a log verification after it has read some of the entries. */
export interface Walk {
  readonly head: Head | null
  readonly seq: bigint
  /** The hash of the last entry that was read, in hexadecimal. */
  readonly previous: string
  /** The SHA-256 of the hashed texts of all entries that were read. */
  readonly digest: Hash
  /** The number of entries whose check needs a previous key. */
  readonly older: number
  readonly brokenAt: bigint | null
}

export const startOfWalk = async (sql: Sql): Promise<Walk> => ({
  head: await findHead(sql),
  seq: 0n,
  previous: beginning,
  digest: createHash('sha256'),
  older: 0,
  brokenAt: null,
})

/**
 * Checks the entries after `walk`, up to the newest entry. If the entry with the number `Head.readableFrom` records a
 * key renewal, its SHA-256 is compared with the SHA-256 of all earlier entries. Otherwise, the content of earlier
 * entries is not checked.
 */
export async function walkOn(sql: Sql, walk: Walk): Promise<Walk> {
  let walked = walk
  for (;;) {
    const next = await entries(sql, { after: walked.seq }, batch)
    for (const entry of next) {
      walked = after(walked, entry)
      if (walked.brokenAt !== null) return walked
    }
    if (next.length < batch) break
  }
  // A last entry with a higher number than the head is not an error, because entries can be appended after the head was read.
  const { head, seq } = walked
  const isCut = head ? head.seq > seq : seq > 0n
  return isCut ? { ...walked, brokenAt: seq + 1n } : walked
}

/**
 * Whether the walk ended at the last entry `end`, and the head names this entry. Requires the lock of `lockEnd`, because each append changes the last entry and
 * the head.
 */
export const isComplete = (
  { head, seq, previous, brokenAt }: Walk,
  end: { readonly seq: bigint; readonly hash: Uint8Array },
): boolean =>
  brokenAt === null && end.seq === seq && hex(end.hash) === previous && head?.seq === seq && isHead(head, previous)

function after(walk: Walk, entry: StoredEntry): Walk {
  const { head, seq, previous, digest } = walk
  const from = head?.readableFrom ?? 1n
  const hash = hex(entry.hash)
  const text = hashedText(entry, previous)
  const macs = entry.seq < from ? [] : auditMacs(text).map(hex)
  const isWhole = entry.seq < from || (macs.includes(hash) && (entry.seq > from || agrees(entry, walk)))
  const endsRight = entry.seq !== head?.seq || isHead(head, hash)
  if (entry.seq !== seq + 1n || !isWhole || !endsRight) return { ...walk, brokenAt: seq + 1n }
  const older = walk.older + (entry.seq < from || macs[0] === hash ? 0 : 1)
  return { ...walk, seq: entry.seq, previous: hash, digest: digest.update(`${text}\n`), older }
}

/**
 * For an entry that records a key renewal: whether the earlier entries still have the recorded number and SHA-256.
 * Returns true for any other entry.
 */
function agrees({ action, after }: StoredEntry, { seq, digest }: Walk): boolean {
  if (action !== renewal) return true
  const { entries, sha256 } = after as Renewal
  return BigInt(entries) === seq && sha256 === digest.copy().digest('hex')
}

/**
 * Verifies the keyed hash of every readable entry (see `Head.readableFrom`), and that no entry up to the number in the
 * head is missing. `brokenAt` is the number of the first invalid or missing entry. If entries before a key renewal were
 * changed, `brokenAt` is the number of the entry that records the renewal.
 */
export async function verifyAudit(sql: Sql = db()): Promise<Verification> {
  const { seq, previous, brokenAt } = await walkOn(sql, await startOfWalk(sql))
  if (brokenAt !== null) return { entries: Number(seq), brokenAt: Number(brokenAt), last: null }
  return { entries: Number(seq), brokenAt: null, last: seq > 0n ? `${seq}:${previous}` : null }
}

/** `last` is the number and hash of the last entry. The hashes of earlier entries are not verified. */
export interface AuditEnd {
  readonly last: string
  /**
   * `isConfirmed` is false in three cases: the newest entries were deleted, the row of `audit_heads` was changed, or
   * the key that made its hash is not configured.
   */
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

/**
 * Whether the keyed hash of the head was made with a key other than the current key. `hash` is the hash of the last
 * entry in hexadecimal.
 */
export const isOlderHead = ({ seq, readableFrom, mac }: Head, hash: string): boolean =>
  hex(auditMacs(headText({ seq, readableFrom, hash }))[0]) !== hex(mac)
