import { db, type Sql } from '../../platform/db/db.ts'
import { commandLine } from './command-line.ts'
import { type Renewal, renewal } from './rules/entry.ts'
import { findHead, lockEnd } from './store.ts'
import { isComplete, isOlderHead, startOfWalk, type Walk, walkOn } from './verify.ts'
import { appendEntry } from './write.ts'

export interface OlderEntries {
  /**
   * The number of entries whose check needs a previous key. At least 1 if the check of `audit_heads` needs a previous
   * key.
   */
  readonly older: number
  /** The number of the first broken entry. Later entries are not counted. Null for an intact log. */
  readonly brokenAt: number | null
}

export const olderEntries = async (sql: Sql = db()): Promise<OlderEntries> =>
  olderIn(await walkOn(sql, await startOfWalk(sql)))

function olderIn({ head, seq, previous, older, brokenAt }: Walk): OlderEntries {
  const isOlderEnd = brokenAt === null && head !== null && head.seq === seq && isOlderHead(head, previous)
  return { older: Math.max(older, isOlderEnd ? 1 : 0), brokenAt: brokenAt === null ? null : Number(brokenAt) }
}

/**
 * Makes the check of the log independent of previous keys. Entries are final, so their keyed hashes cannot be replaced. Instead, appends an entry with the
 * SHA-256 of all earlier entries. The current key protects this entry. Appends nothing if no entry needs a previous key, or if the log is broken. Returns the
 * number of entries that needed a previous key, or `broken`.
 */
export async function renewAudit(): Promise<number | 'broken'> {
  const read = await walkOn(db(), await startOfWalk(db()))
  if (read.brokenAt !== null) return 'broken'
  if (olderIn(read).older === 0) return 0
  return db().$transaction(async (sql) => {
    const { end, readableFrom } = await lockEnd(sql)
    // Another process may have renewed the log since it was read.
    if (readableFrom !== (read.head?.readableFrom ?? 1n)) return 0
    const walk = await walkOn(sql, { ...read, head: await findHead(sql) })
    // Entries that were read before the lock may have been deleted in the meantime. The new entry must not cover deleted entries.
    if (!end || !isComplete(walk, end)) return 'broken'
    const { older } = olderIn(walk)
    const after: Renewal = { entries: Number(end.seq), sha256: walk.digest.copy().digest('hex') }
    const entry = { actor: commandLine(), action: renewal, subject: 'secret_key', before: null, after }
    await appendEntry(sql, entry, { end, readableFrom: end.seq + 1n })
    return older
  })
}
