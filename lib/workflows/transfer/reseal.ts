import { invalid } from '../../kernel/refusal.ts'
import { seal, searchHashes, unseal } from '../../platform/crypto/sealed.ts'
import { damaged } from './file.ts'
import type { FileKey } from './passphrase.ts'
import type { Exported, Row, Sealed } from './tables.ts'

/** The values of a row as they go into a file: what SECRET_KEY sealed is sealed with the file's key. */
export const forFile = (table: Exported, key: FileKey, columns: readonly string[]) =>
  resealed(table, columns, (sealed, place) => {
    const plain = unsealedHere(sealed, place)
    return { plain, sealed: key.seal(plain, place) }
  })

function unsealedHere(sealed: Uint8Array, place: string): string {
  try {
    return unseal(sealed, place)
  } catch {
    throw invalid(
      'storefront',
      `What is sealed at ${place} cannot be opened: SECRET_KEY and SECRET_KEY_PREVIOUS are not what they were.`,
    )
  }
}

/** The values of a row as they come from a file: sealed with this installation's SECRET_KEY, and found by its hashes. */
export const fromFile = (table: Exported, key: FileKey, columns: readonly string[]) =>
  resealed(
    table,
    columns,
    (sealed, place) => {
      const plain = unsealed(key, sealed, place)
      return { plain, sealed: seal(plain, place) }
    },
    true,
  )

function unsealed(key: FileKey, sealed: Uint8Array, place: string): string {
  try {
    return key.unseal(sealed, place)
  } catch {
    // It was changed, or moved to another row.
    throw damaged()
  }
}

type Values = (string | null)[]

function resealed(
  { sealed: rule }: Exported,
  columns: readonly string[],
  again: (sealed: Uint8Array, place: string) => { plain: string; sealed: Uint8Array },
  withHashes = false,
): (values: Values) => Values {
  if (!rule) return (values) => values
  const at = columns.indexOf(rule.column)
  const foundAt = withHashes && rule.found ? columns.indexOf(rule.found.column) : -1
  return (values) => {
    const value = values[at] ?? null
    const bytes = value === null ? null : bytesOf(rule, value)
    // A bank file that stayed where it was made.
    if (bytes === null || bytes.length === 0) return values
    const row: Row = Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]))
    const { plain, sealed } = again(bytes, rule.at(row))
    const changed = values.with(at, textOf(rule, sealed))
    return rule.found && foundAt >= 0 ? changed.with(foundAt, hex(searchHashes(rule.found.by(plain))[0])) : changed
  }
}

const hex = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`
const bytesOf = ({ encoding }: Sealed, value: string): Buffer =>
  encoding === 'hex' ? Buffer.from(value.slice(2), 'hex') : Buffer.from(value, 'base64')
const textOf = ({ encoding }: Sealed, bytes: Uint8Array): string =>
  encoding === 'hex' ? hex(bytes) : Buffer.from(bytes).toString('base64')
