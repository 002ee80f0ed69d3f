export interface Actor {
  readonly kind: 'operator' | 'member' | 'cli'
  /** The id of the operator or member, or the name of the system's user. */
  readonly id: string
  /** The network address; null at the command line. */
  readonly address: string | null
}

export interface Change {
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
}

export interface Entry extends Change {
  /** From 1, without gaps. */
  readonly seq: bigint
  readonly at: Date
  readonly actor: Actor
}

/**
 * The text that an entry's keyed hash is made of: the values in a fixed order, and the previous hash in hexadecimal. As
 * JSON, no two different entries have the same text. A changed, missing, or inserted entry breaks all later hashes.
 */
export function hashedText({ seq, at, actor, action, subject, before, after }: Entry, previousHash: string): string {
  const values = [seq.toString(), at.toISOString(), actor.kind, actor.id, actor.address, action, subject]
  return JSON.stringify([previousHash, ...values, sorted(before), sorted(after)])
}

/** Sorts the fields, since the database may return them in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value ?? null
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]))
}

/** The text that the keyed hash of the log's end is made of. No entry begins with the same text. */
export const headText = ({ seq, readableFrom, hash }: { seq: bigint; readableFrom: bigint; hash: string }): string =>
  JSON.stringify({ seq: seq.toString(), readableFrom: readableFrom.toString(), hash })
