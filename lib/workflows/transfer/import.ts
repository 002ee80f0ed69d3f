import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { z } from 'zod'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import * as accounts from '../../modules/accounts/store.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import { joinSeries } from '../../modules/invoices/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { copyRow } from '../../platform/db/copy-text.ts'
import { type Sql, sqlOn } from '../../platform/db/db.ts'
import { codeOf, migrationsOf, named, tablesOf, withClient } from '../../platform/db/one-connection.ts'
import { CutLine, readPacked } from '../../platform/db/packed-lines.ts'
import { runOn } from '../../platform/db/run.ts'
import { parkTasks } from '../../platform/jobs/parked-tasks.ts'
import { countsOf } from './counts.ts'
import type { Transferred } from './export.ts'
import { damaged, type End, end, FileReader, type Header, header, proofAt, section, values } from './file.ts'
import { type FileKey, fileKey } from './passphrase.ts'
import { fromFile, type Unopened } from './reseal.ts'
import { type Exported, exported } from './tables.ts'

/**
 * Imports a storefront in one transaction, and puts the imported storefront on hold. Refuses with one of these codes in the output
 * of the command: `row_exists` if any of the rows already exists, `file_unreadable`, `file_of_other_version`, `file_line_too_long`,
 * `file_damaged` for a truncated or changed file, `horizon_in_future`, or `wrong_passphrase`.
 */
export async function importStorefront(from: { in: string; passphrase: string }): Promise<Transferred> {
  return withClient(async (client) => {
    const reader = new FileReader(readPacked(from.in, 'in'))
    await client.query('BEGIN')
    try {
      const transferred = await put(client, reader, from.passphrase)
      await client.query('COMMIT')
      return transferred
    } catch (error) {
      throw refusalOf(error)
    }
  })
}

async function put(client: pg.Client, reader: FileReader, passphrase: string): Promise<Transferred> {
  const head = header.parse(await reader.next())
  if (head.migrations.join() !== (await migrationsOf(client)).join())
    throw refuse(
      'file_of_other_version',
      'in',
      'The file has different migrations. Both installations must run the same version of Billhook.',
    )
  const key = await fileKey(passphrase, head.salt)
  const proof = Buffer.from(head.proof, 'base64')
  if (!key.isMine(proof)) throw refuse('wrong_passphrase', 'passphraseFile', 'The passphrase does not match the file.')
  key.unseal(proof, proofAt)
  const sql = sqlOn((statement) => runOn(client, statement))
  const { id } = head.storefront
  if (await accounts.storefrontExists(sql, id))
    throw refuse('row_exists', 'in', `The storefront ${id} already exists in this installation.`)
  const counted: Unopened = { unopened: 0 }
  const ending = await putTables(client, reader, key, counted)
  const sha256 = await reader.finish(key)
  if (JSON.stringify(ending.rows) !== JSON.stringify(head.rows)) throw damaged()
  // The comparison finds rows of another storefront, which anyone who knows the passphrase could have added to the file.
  if (JSON.stringify(await countsOf(client, id)) !== JSON.stringify(ending.rows)) throw damaged()
  await joinAll(client, sql, id, ending)
  await accounts.holdStorefront(sql, id, realNow())
  await parkTasks(sql, id)
  return finished(sql, head, { ending, sha256, ...counted })
}

async function finished(
  sql: Sql,
  { storefront: { id }, as, takenAt }: Header,
  { ending, sha256, unopened }: { ending: End; sha256: string } & Unopened,
): Promise<Transferred> {
  const rows = Object.values(ending.rows).reduce((sum, count) => sum + count, 0)
  await writeAudit(sql, commandLine(), {
    action: 'storefront.import',
    subject: id,
    before: null,
    after: { as, takenAt, rows, unopened, sha256 },
  })
  return { storefrontId: id, as, takenAt, rows, unopened, sha256 }
}

async function putTables(client: pg.Client, reader: FileReader, key: FileKey, counted: Unopened): Promise<End> {
  const columns = new Map(await tablesOf(client))
  const rows: Record<string, number> = {}
  let next = await reader.next()
  for (const [table, how] of Object.entries(exported)) {
    const begun = section.parse(next)
    if (begun.table !== table || begun.columns.join() !== columns.get(table)?.join()) throw damaged()
    const source = new Rows(reader, begun.columns.length)
    await putRows(client, { table, how, columns: begun.columns, key, counted }, source)
    rows[table] = source.count
    next = source.next
  }
  const recorded = section.parse(next)
  if (recorded.record !== 'audit_entries') throw damaged()
  const records = new Rows(reader, recorded.columns.length)
  for await (const _ of records.all());
  const ending = end.parse(records.next).end
  if (JSON.stringify(ending.rows) !== JSON.stringify(rows)) throw damaged()
  return ending
}

class Rows {
  count = 0
  next: unknown

  constructor(
    private readonly reader: FileReader,
    private readonly most: number,
  ) {}

  async *all(): AsyncGenerator<(string | null)[]> {
    for (;;) {
      const line = await this.reader.next()
      if (!Array.isArray(line)) {
        this.next = line
        return
      }
      this.count += 1
      if (line.length > this.most) throw damaged()
      yield values.parse(line)
    }
  }
}

interface Target {
  readonly table: string
  readonly how: Exported
  readonly columns: readonly string[]
  readonly key: FileKey
  readonly counted: Unopened
}

async function putRows(client: pg.Client, { table, how, columns, key, counted }: Target, rows: Rows): Promise<void> {
  const again = fromFile(how, key, columns, counted)
  const into = how.onConflict === undefined ? table : 'incoming'
  if (how.onConflict !== undefined) await client.query(`CREATE TEMP TABLE incoming (LIKE ${table}) ON COMMIT DROP`)
  const texts = async function* () {
    for await (const row of rows.all()) {
      if (row.length !== columns.length) throw damaged()
      how.check?.(Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])))
      yield copyRow(again(row))
    }
  }
  await pipeline(texts, client.query(copyFrom(`COPY ${named(into, columns)} FROM STDIN`)))
  if (how.onConflict === undefined) return
  await client.query(`INSERT INTO ${table} AS target SELECT * FROM incoming ON CONFLICT ${how.onConflict}`)
  await client.query('DROP TABLE incoming')
}

/** Continues each invoice series after the highest number that either installation has issued. */
async function joinAll(client: pg.Client, sql: Sql, storefrontId: string, { series }: End): Promise<void> {
  for (const { name, last } of series) {
    const { rows } = await client.query(
      `SELECT count(*) AS count, max(substring(invoice_number FROM '[0-9]+$')::bigint) AS highest FROM orders
      WHERE storefront_id = $1 AND invoice_scope = 'live' AND substring(invoice_number FROM '^(.*)-[0-9]+$') = $2`,
      [storefrontId, name],
    )
    const { count, highest } = z.object({ count: z.bigint(), highest: z.bigint() }).parse(rows[0])
    if (highest > BigInt(last)) throw damaged()
    await joinSeries(sql, { scope: 'live', name }, { last: BigInt(last), count })
  }
}

function refusalOf(error: unknown): unknown {
  const code = codeOf(error) ?? ''
  if (code === '23505' && error instanceof pg.DatabaseError) {
    const { table, constraint } = error
    return refuse(
      'row_exists',
      'in',
      `This installation already contains data of the file: a row of "${table}" (${constraint}).`,
    )
  }
  const isOfFile =
    error instanceof z.ZodError ||
    error instanceof SyntaxError ||
    error instanceof CutLine ||
    /^(?:Z_|22|23)/.test(code)
  return isOfFile && !(error instanceof Refusal) ? damaged() : error
}
