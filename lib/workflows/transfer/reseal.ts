import { invalid } from '../../kernel/refusal.ts'
import { isOpenable, seal, searchHashes, unseal } from '../../platform/crypto/sealed.ts'
import { damaged } from './file.ts'
import type { FileKey } from './passphrase.ts'
import type { Exported, Row, Sealed } from './tables.ts'

/** Values that no configured key decrypts stay unreadable in both installations. */
export interface Unopened {
  unopened: number
}

/**
 * Values encrypted with SECRET_KEY are encrypted with the file's key. Hashes that depend on SECRET_KEY are omitted. A
 * value encrypted with a lost key stays unchanged with its hash: every reader handles this state, and the key may be
 * found later.
 */
export const forFile = (table: Exported, key: FileKey, columns: readonly string[], counted: Unopened) =>
  resealed(table, columns, counted, (sealed, place) => {
    if (!isOpenable(sealed)) return null
    const plain = unsealedHere(sealed, place)
    return { plain, sealed: key.seal(plain, place), hashOf: () => new Uint8Array() }
  })

function unsealedHere(sealed: Uint8Array, place: string): string {
  try {
    return unseal(sealed, place)
  } catch {
    throw invalid(
      'storefront',
      `What is sealed at ${place} cannot be opened: it was changed, or sealed for another row.`,
    )
  }
}

/** Encrypted with this installation's SECRET_KEY and with its hashes. */
export const fromFile = (table: Exported, key: FileKey, columns: readonly string[], counted: Unopened) =>
  resealed(table, columns, counted, (sealed, place) => {
    if (!key.isMine(sealed)) return null
    const plain = unsealed(key, sealed, place)
    return { plain, sealed: seal(plain, place), hashOf: (found) => searchHashes(found)[0] }
  })

function unsealed(key: FileKey, sealed: Uint8Array, place: string): string {
  try {
    return key.unseal(sealed, place)
  } catch {
    // The value was changed, or moved to another row.
    throw damaged()
  }
}

type Values = (string | null)[]

interface Resealed {
  readonly plain: string
  readonly sealed: Uint8Array
  hashOf(found: string): Uint8Array
}

type Again = (sealed: Uint8Array, place: string) => Resealed | null

function resealed(
  { sealed: rules = [] }: Exported,
  columns: readonly string[],
  counted: Unopened,
  again: Again,
): (values: Values) => Values {
  const each = rules.map((rule) => resealedColumn(rule, columns, counted, again))
  return (values) => each.reduce((changed, reseal) => reseal(changed), values)
}

function resealedColumn(
  rule: Sealed,
  columns: readonly string[],
  counted: Unopened,
  again: Again,
): (values: Values) => Values {
  const at = columns.indexOf(rule.column)
  const foundAt = rule.found ? columns.indexOf(rule.found.column) : -1
  return (values) => {
    const value = values[at] ?? null
    const bytes = value === null ? null : bytesOf(rule, value)
    // The contents of a bank file stay at the origin.
    if (bytes === null || bytes.length === 0) return values
    const row: Row = Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]))
    const opened = again(bytes, rule.at(row))
    if (!opened) {
      counted.unopened += 1
      return values
    }
    const changed = values.with(at, textOf(rule, opened.sealed))
    const found = rule.found?.by(opened.plain) ?? null
    return found === null ? changed : changed.with(foundAt, hex(opened.hashOf(found)))
  }
}

const hex = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`
const bytesOf = ({ encoding }: Sealed, value: string): Buffer =>
  encoding === 'hex' ? Buffer.from(value.slice(2), 'hex') : Buffer.from(value, 'base64')
const textOf = ({ encoding }: Sealed, bytes: Uint8Array): string =>
  encoding === 'hex' ? hex(bytes) : Buffer.from(bytes).toString('base64')
