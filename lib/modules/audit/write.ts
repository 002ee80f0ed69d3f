import { createHash } from 'node:crypto'
import { realNow } from '../../platform/clock/clock.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Actor, type Change, type Entry, hashedText } from './rules/entry.ts'
import { insertEntry, lockEnd } from './store.ts'

/** The hash before the first entry. */
export const beginning = '0'.repeat(64)

export const hashOf = (entry: Entry, previousHash: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(hashedText(entry, previousHash)).digest())

/**
 * Appends a change to the audit log, in the transaction of the change. Call it last: entries of other transactions wait
 * for the commit.
 */
export async function writeAudit(sql: Sql, actor: Actor, change: Change): Promise<void> {
  const end = await lockEnd(sql)
  const plain = (value: unknown) => (value === undefined ? null : JSON.parse(JSON.stringify(value)))
  const before = plain(change.before)
  const after = plain(change.after)
  const entry: Entry = { ...change, before, after, actor, at: realNow(), seq: (end?.seq ?? 0n) + 1n }
  await insertEntry(sql, entry, hashOf(entry, end ? Buffer.from(end.hash).toString('hex') : beginning))
}
