import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { invalid, Refusal, refuse } from '../../kernel/refusal.ts'
import { codeOf, migrationsOf, named, tablesOf, withClient } from './one-connection.ts'
import { CutLine, line, lineEndsIn, readPacked, writePacked } from './packed-lines.ts'

/**
 * A backup is a gzip file of lines. After a header line, each table has a line of its columns, its rows in the text format of COPY, and a line `\.`. The last
 * line has the number of rows per table. A backup works with every version of PostgreSQL, but only with the same migrations.
 */

const first = z.object({ billhookBackup: z.literal(1), takenAt: z.string(), migrations: z.array(z.string()) })
const section = z.object({ table: z.string(), columns: z.array(z.string()) })
const last = z.object({ rows: z.record(z.string(), z.number()) })

const endOfTable = Buffer.from('\\.')

export interface BackupSummary {
  readonly takenAt: string
  readonly tables: number
  readonly rows: number
}

/** Writes the backup to a new file that only its owner can read. Refuses a file name that already exists. */
export async function writeBackup(to: string): Promise<BackupSummary> {
  return withClient(async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const takenAt = new Date().toISOString()
    const rows: Record<string, number> = {}
    await writePacked(to, 'to', backupOf(client, takenAt, rows))
    return summary(takenAt, rows)
  })
}

async function* backupOf(client: pg.Client, takenAt: string, rows: Record<string, number>) {
  yield line({ billhookBackup: 1, takenAt, migrations: await migrationsOf(client) })
  for (const [table, columns] of await tablesOf(client)) {
    yield line({ table, columns })
    // The rows are counted here, because the stream ends before PostgreSQL reports their number.
    rows[table] = 0
    for await (const chunk of client.query(copyTo(`COPY ${named(table, columns)} TO STDOUT`))) {
      rows[table] += lineEndsIn(chunk)
      yield chunk
    }
    yield `${endOfTable}\n`
  }
  yield line({ rows })
}

/**
 * Restores the backup into an empty database. Refuses a damaged file, a backup whose migrations differ from the migrations of the database, and a database with
 * rows. A refusal changes nothing.
 */
export async function readBackup(from: string): Promise<BackupSummary> {
  return withClient(async (client) => {
    await client.query('BEGIN')
    await asReplica(client)
    try {
      const read = await put(client, readPacked(from, 'from'))
      await client.query('COMMIT')
      return read
    } catch (error) {
      if (error instanceof Refusal) throw error
      const code = codeOf(error)
      if (
        error instanceof z.ZodError ||
        error instanceof SyntaxError ||
        error instanceof CutLine ||
        /^(?:Z_|22|23)/.test(code ?? '')
      )
        throw damaged()
      throw error
    }
  })
}

/** Disables foreign keys and triggers, so that tables can be restored in any order. */
async function asReplica(client: pg.Client): Promise<void> {
  try {
    await client.query('SET LOCAL session_replication_role = replica')
  } catch (error) {
    if (codeOf(error) !== '42501') throw error
    throw invalid('from', 'The role in DATABASE_URL is not a superuser. Use the PostgreSQL tools for this database.')
  }
}

async function put(client: pg.Client, lines: AsyncGenerator<Buffer>): Promise<BackupSummary> {
  const { takenAt, migrations } = first.parse(await parsedLine(lines))
  if (migrations.join() !== (await migrationsOf(client)).join())
    throw refuse(
      'file_of_other_version',
      'from',
      'The backup has different migrations. Restore it with the version of Billhook that wrote it.',
    )
  const known = new Map(await tablesOf(client))
  for (const table of known.keys()) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${named(table)} LIMIT 1`)
    if (rowCount !== 0)
      throw refuse('database_not_empty', 'from', `The database is not empty. It has rows in ${table}.`)
  }
  const rows: Record<string, number> = {}
  for (;;) {
    const next = await parsedLine(lines)
    if ('rows' in next) {
      const counted = last.parse(next).rows
      if (JSON.stringify(counted) !== JSON.stringify(rows)) throw damaged()
      if (!(await lines.next()).done) throw damaged()
      return summary(takenAt, rows)
    }
    const { table, columns } = section.parse(next)
    if (known.get(table)?.join() !== columns.join() || table in rows) throw damaged()
    rows[table] = await putRows(client, `COPY ${named(table, columns)} FROM STDIN`, lines)
  }
}

async function putRows(client: pg.Client, statement: string, lines: AsyncGenerator<Buffer>): Promise<number> {
  const copy = client.query(copyFrom(statement))
  const rows = async function* () {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw damaged()
      if (value.equals(endOfTable)) return
      yield value
      yield '\n'
    }
  }
  await pipeline(rows, copy)
  return copy.rowCount
}

async function parsedLine(lines: AsyncGenerator<Buffer>): Promise<object> {
  const { value, done } = await lines.next()
  if (done) throw damaged()
  return z.looseObject({}).parse(JSON.parse(String(value)))
}

const summary = (takenAt: string, rows: Readonly<Record<string, number>>): BackupSummary => ({
  takenAt,
  tables: Object.keys(rows).length,
  rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
})

const damaged = () => refuse('file_damaged', 'from', 'The file is damaged, incomplete, or not a backup.')
