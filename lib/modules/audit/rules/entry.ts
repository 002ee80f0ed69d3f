export interface Actor {
  readonly kind: 'operator' | 'member' | 'cli'
  /** `id` is the id of the operator or member, or the user name of the operating system. */
  readonly id: string
  readonly address: string | null
}

export interface Change {
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
}

export interface Entry extends Change {
  readonly seq: bigint
  readonly at: Date
  readonly actor: Actor
}

/**
 * The action of the entry that `secret-key renew` appends. `after` has the number of all earlier entries and the
 * SHA-256 of their hashed texts. The SHA-256 reveals a change of these entries without a previous key.
 */
export const renewal = 'secret_key.renew'

export interface Renewal {
  readonly entries: number
  readonly sha256: string
}

/**
 * The input of an entry's keyed hash. It contains the hash of the previous entry, so a changed, missing, or inserted
 * entry invalidates all later hashes.
 */
export function hashedText({ seq, at, actor, action, subject, before, after }: Entry, previousHash: string): string {
  const values = [seq.toString(), at.toISOString(), actor.kind, actor.id, actor.address, action, subject]
  return JSON.stringify([previousHash, ...values, sorted(before), sorted(after)])
}

/** Sorts the fields, because the database may return the fields in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value ?? null
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]))
}

/** The input of the keyed hash of the log's end. It never equals the input of an entry, which starts with `[`. */
export const headText = ({ seq, readableFrom, hash }: { seq: bigint; readableFrom: bigint; hash: string }): string =>
  JSON.stringify({ seq: seq.toString(), readableFrom: readableFrom.toString(), hash })
