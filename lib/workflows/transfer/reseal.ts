import { invalid } from '../../kernel/refusal.ts'
import { isOpenable, seal, searchHashes, unseal } from '../../platform/crypto/sealed.ts'
import { damaged } from './file.ts'
import type { FileKey } from './passphrase.ts'
import type { Exported, Row, Sealed } from './tables.ts'

/** The number of values that no configured key decrypts. These values stay unreadable in both installations. */
export interface Unopened {
  unopened: number
}

/** A value that was encrypted with a lost key is copied unchanged with its hash, because the key may be found later. */
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
      `The encrypted value at ${place} cannot be decrypted, because it was changed or belongs to a different row.`,
    )
  }
}

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
    // Decryption fails if the value was changed or moved to another row.
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
