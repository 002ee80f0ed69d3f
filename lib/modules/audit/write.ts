import { realNow } from '../../platform/clock/clock.ts'
import { auditMacs } from '../../platform/crypto/sealed.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Actor, type Change, type Entry, hashedText, headText } from './rules/entry.ts'
import { insertEntry, lockEnd, saveHead } from './store.ts'

export const beginning = '0'.repeat(64)

/** Call this function as the last change of a transaction, because other transactions cannot append until the commit. */
export async function writeAudit(sql: Sql, actor: Actor, change: Change): Promise<void> {
  const { end, readableFrom } = await lockEnd(sql)
  await appendEntry(sql, { actor, ...change }, { end, readableFrom })
}

/**
 * Call `lockEnd` first in the same transaction. `readableFrom` is the number of the first entry whose keyed hash is
 * checked.
 */
export async function appendEntry(
  sql: Sql,
  { actor, ...change }: Change & { readonly actor: Actor },
  { end, readableFrom }: Awaited<ReturnType<typeof lockEnd>>,
): Promise<void> {
  const plain = (value: unknown) => (value === undefined ? null : JSON.parse(JSON.stringify(value)))
  const before = plain(change.before)
  const after = plain(change.after)
  const seq = (end?.seq ?? 0n) + 1n
  const entry: Entry = { ...change, before, after, actor, at: realNow(), seq }
  const [hash] = auditMacs(hashedText(entry, end ? hex(end.hash) : beginning))
  await insertEntry(sql, entry, hash)
  await saveHead(sql, { seq, readableFrom, mac: auditMacs(headText({ seq, readableFrom, hash: hex(hash) }))[0] })
}

/** Declares a secret key lost, so that later verifications skip all entries that exist now. Requires a transaction. */
export async function acceptUnreadable(sql: Sql): Promise<void> {
  const { end } = await lockEnd(sql)
  if (!end) return
  const { seq, hash } = end
  const readableFrom = seq + 1n
  await saveHead(sql, { seq, readableFrom, mac: auditMacs(headText({ seq, readableFrom, hash: hex(hash) }))[0] })
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
