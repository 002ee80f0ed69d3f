import { isSealedNow, searchHashes, unseal } from '../platform/crypto/sealed.ts'
import { db, type Sql } from '../platform/db/db.ts'
import type { Row } from '../workflows/transfer/tables.ts'
import type { Encrypted, KeyColumn } from './encrypted.ts'

/**
 * A row with an encrypted value. `key` is the id of the value's key in hexadecimal, or empty if a changed value has no key id. `bytes` is the size of
 * the value as stored.
 */
export interface Found {
  readonly values: Readonly<Record<string, unknown>>
  readonly key: string
  readonly bytes: number
  readonly stored: Uint8Array | string | null
  readonly hash: Uint8Array | null
}

export async function keyColumnsOf({ table, key }: Encrypted): Promise<readonly KeyColumn[]> {
  if (key) return key
  return db().$queryRaw<KeyColumn[]>`
    SELECT a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type
    FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS of (number, place)
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = of.number
    WHERE i.indrelid = ${table}::regclass AND i.indisprimary ORDER BY of.place`
}

/**
 * The number of rows that one statement reads. Rows without an encrypted value count too, so that a statement stays
 * short in a table with few encrypted values.
 */
const pageSize = 1_000

/**
 * Returns the columns to select for a row. Includes the value itself only if `withValue` is true, because values can be
 * large.
 */
function columnsOf(of: Encrypted, key: readonly KeyColumn[], withValue: boolean): string {
  // PostgreSQL refuses to decode a changed text that is not base64, so `keyOf` decodes the text.
  const start = of.encoding === 'hex' ? `encode(substring(${of.value} from 1 for 4), 'hex')` : `left(${of.value}, 8)`
  const columns = [
    ...[...namesOf(key), ...(of.also ?? [])],
    `octet_length(${of.value})::int AS sealed_bytes`,
    `${start} AS sealed_start`,
    `${withValue ? of.value : 'NULL'} AS sealed_value`,
    `${withValue && of.found ? `"${of.found.column}"` : 'NULL'} AS sealed_hash`,
  ]
  return columns.join(', ')
}

const namesOf = (key: readonly KeyColumn[]): string[] => key.map(({ name }) => `"${name}"`)

/** Reads all rows with an encrypted value in the order of `key`. Reads the value itself only if the row has a search hash. */
export async function* pagesOf(of: Encrypted, key: readonly KeyColumn[]): AsyncGenerator<Found[]> {
  for (const condition of of.among ?? ['TRUE']) yield* pagesAmong(of, key, condition)
}

async function* pagesAmong(of: Encrypted, key: readonly KeyColumn[], condition: string): AsyncGenerator<Found[]> {
  const names = namesOf(key).join(', ')
  const select = `SELECT ${columnsOf(of, key, of.found !== undefined)} FROM "${of.table}" WHERE ${condition}`
  const after = `AND (${names}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})`
  const end = `ORDER BY ${names} LIMIT ${pageSize}`
  for (let last: unknown[] | null = null; ; ) {
    const rows: RawRow[] = await db().$queryRawUnsafe(`${select} ${last ? after : ''} ${end}`, ...(last ?? []))
    const found = rows.filter(hasValue)
    if (found.length > 0) yield found.map((row) => foundOf(of, row))
    if (rows.length < pageSize) return
    last = key.map(({ name }) => rows.at(-1)?.[name])
  }
}

/**
 * Locks the given rows and returns them with their values. Skips rows that the service has locked, so that the service
 * and the key renewal do not wait for each other.
 */
export const lockRows = (sql: Sql, of: Encrypted, key: readonly KeyColumn[], rows: readonly Found[]) =>
  readRows(sql, { of, key, rows, withValue: true }, `FOR NO KEY UPDATE OF "${of.table}" SKIP LOCKED`)

/** Reads the given rows again, with their values. Deleted rows are missing in the result. */
export const lookAtRows = (of: Encrypted, key: readonly KeyColumn[], rows: readonly Found[]) =>
  readRows(db(), { of, key, rows, withValue: true }, '')

/**
 * Reads the given rows again. Deleted rows are missing in the result. Like `pagesOf`, reads the value itself only if
 * the row has a search hash.
 */
export const readAgain = (of: Encrypted, key: readonly KeyColumn[], rows: readonly Found[]) =>
  readRows(db(), { of, key, rows, withValue: of.found !== undefined }, '')

interface Asked {
  readonly of: Encrypted
  readonly key: readonly KeyColumn[]
  readonly rows: readonly Found[]
  readonly withValue: boolean
}

async function readRows(sql: Sql, { of, key, rows, withValue }: Asked, end: string): Promise<Found[]> {
  const found: RowWithValue[] = await sql.$queryRawUnsafe(
    `SELECT ${columnsOf(of, key, withValue)} FROM "${of.table}"
    JOIN json_to_recordset($1::json) AS asked (${key.map(({ name, type }) => `"${name}" ${type}`).join(', ')})
      USING (${namesOf(key).join(', ')})
    WHERE octet_length(${of.value}) > 0 ${end}`,
    JSON.stringify(rows.map(({ values }) => values)),
  )
  return found.map((row) => foundOf(of, row))
}

/** Replaces the value if it is still the value that was read. Returns whether it was replaced. */
export async function replaceValue(
  sql: Sql,
  of: Encrypted,
  key: readonly KeyColumn[],
  { values, stored }: Found,
  { sealed, hash }: { readonly sealed: Uint8Array; readonly hash: Uint8Array | null },
): Promise<boolean> {
  const given = [of.encoding === 'hex' ? sealed : Buffer.from(sealed).toString('base64'), stored]
  const conditions = key.map(({ name }, index) => `"${name}" = $${index + 3}`)
  const changed = await sql.$executeRawUnsafe(
    `UPDATE "${of.table}" SET ${of.assignment}${hash && of.found ? `, "${of.found.column}" = $${key.length + 3}` : ''}
    WHERE ${of.value} = $2 AND ${conditions.join(' AND ')}`,
    ...given,
    ...key.map(({ name }) => values[name]),
    ...(hash ? [hash] : []),
  )
  return changed === 1
}

type RawRow = Record<string, unknown> & {
  readonly sealed_bytes: number | null
  readonly sealed_start: string | null
  readonly sealed_value: Uint8Array | string | null
  readonly sealed_hash: Uint8Array | null
}

type RowWithValue = RawRow & { readonly sealed_bytes: number; readonly sealed_start: string }

const hasValue = (row: RawRow): row is RowWithValue => (row.sealed_bytes ?? 0) > 0

const foundOf = (
  of: Encrypted,
  { sealed_bytes, sealed_start, sealed_value, sealed_hash, ...values }: RowWithValue,
): Found => ({
  values,
  key: keyOf(of, sealed_start),
  bytes: sealed_bytes,
  stored: sealed_value,
  hash: sealed_hash,
})

/** An encrypted value begins with the id of its key (4 bytes). */
function keyOf({ encoding }: Encrypted, start: string): string {
  if (encoding === 'hex') return start.length === 8 ? start : ''
  return /^[A-Za-z0-9+/]{8}$/.test(start) ? Buffer.from(start, 'base64').toString('hex', 0, 4) : ''
}

export const idOf = ({ values }: Found): string => JSON.stringify(Object.values(values))

const bytesOf = (stored: Uint8Array | string): Uint8Array =>
  typeof stored === 'string' ? Buffer.from(stored, 'base64') : stored

/** Returns the `table|row|column` to which the value is bound. */
export function placeOf(of: Encrypted, { values }: Found): string {
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? (value ? 't' : 'f') : String(value),
  ])
  return of.at(Object.fromEntries(texts) as Row)
}

export interface Opened {
  readonly plain: string
  /** The search hash that the current key makes; null if the row needs none, or if the hashed text was erased. */
  readonly hash: Uint8Array<ArrayBuffer> | null
  readonly isCurrent: boolean
}

/** Decrypts the value of a row. Throws if the value was changed, or if its key is not configured. */
export function openedOf(of: Encrypted, row: Found): Opened {
  const sealed = bytesOf(row.stored ?? '')
  const plain = unseal(sealed, placeOf(of, row))
  const text = of.found?.by(plain) ?? null
  const hash = text === null ? null : searchHashes(text)[0]
  const isFound = hash === null || (row.hash !== null && Buffer.from(row.hash).equals(hash))
  return { plain, hash, isCurrent: isSealedNow(sealed) && isFound }
}

/** Whether the row has a search hash that nobody can compute again, because the hashed text was erased. False if the value was not decrypted. */
export const isHashFinal = (of: Encrypted, { hash }: Found, opened: Opened | null): boolean =>
  of.found !== undefined && hash !== null && opened !== null && opened.hash === null
