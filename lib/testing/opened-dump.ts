import { unsealAddress } from '../modules/emails/sealed-address.ts'
import { emailPortalLink } from '../modules/portal/tasks.ts'
import { unseal } from '../platform/crypto/sealed.ts'
import { db } from '../platform/db/db.ts'
import { exported, type Row } from '../workflows/transfer/tables.ts'

export async function placesWith(text: RegExp): Promise<string[]> {
  const tables = await db().$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`
  const found = new Set<string>()
  for (const { name } of tables) {
    const columns = await columnsOf(name)
    const list = columns.map((column) => `"${column}"::text AS "${column}"`).join(', ')
    for (const row of await db().$queryRawUnsafe<Row[]>(`SELECT ${list} FROM "${name}"`))
      for (const column of columns) if (text.test(opened(name, column, row))) found.add(`${name}.${column}`)
  }
  return [...found].sort()
}

async function columnsOf(table: string): Promise<string[]> {
  const rows = await db().$queryRaw<{ column: string }[]>`
    SELECT attname AS column FROM pg_attribute WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped`
  return rows.map(({ column }) => column)
}

function opened(table: string, column: string, row: Row): string {
  const value = row[column] ?? ''
  const sealed = exported[table]?.sealed?.find((each) => each.column === column)
  if (table === 'tasks' && column === 'data' && row.name === emailPortalLink.name) {
    const { key, sealedEmail } = JSON.parse(value)
    return `${value} ${unsealAddress(sealedEmail, key)}`
  }
  if (!sealed || value === '') return value
  const bytes = sealed.encoding === 'hex' ? Buffer.from(value.slice(2), 'hex') : Buffer.from(value, 'base64')
  // The row contains `true` or `false`, because its values were cast to text. `sealed.at` expects `t` or `f`, as COPY writes a boolean.
  return unseal(bytes, sealed.at({ ...row, testmode: row.testmode === 'true' ? 't' : 'f' }))
}
