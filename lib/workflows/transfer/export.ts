import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { invalid } from '../../kernel/refusal.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import { writeAudit } from '../../modules/audit/write.ts'
import { config } from '../../platform/config.ts'
import { valuesOf } from '../../platform/db/copy-text.ts'
import { db } from '../../platform/db/db.ts'
import { migrationsOf, tablesOf, withClient } from '../../platform/db/one-connection.ts'
import { line, linesOf, writePacked } from '../../platform/db/packed-lines.ts'
import { countsOf, ofStorefront } from './counts.ts'
import { type End, type Header, proofAt, signed } from './file.ts'
import { hold, release, StillOnHold } from './hold.ts'
import { type FileKey, fileKey, newSalt } from './passphrase.ts'
import { forFile, type Unopened } from './reseal.ts'
import { auditRows, type Exported, exported } from './tables.ts'

interface Asked {
  readonly storefrontId: string
  readonly out: string
  readonly passphrase: string
  /**
   * `move` means that the storefront stops changing in this installation. `copy` means that the storefront continues in
   * this installation, and the file is only a record.
   */
  readonly as: 'copy' | 'move'
}

export interface Transferred {
  readonly storefrontId: string
  readonly as: 'copy' | 'move'
  /** The time of the snapshot (ISO 8601). */
  readonly takenAt: string
  readonly rows: number
  /** The number of encrypted values that no key decrypts. The file contains them unchanged. */
  readonly unopened: number
  readonly sha256: string
}

/**
 * `move` first puts the storefront on hold, so that the file contains every change. Refuses with `validation_failed` if the storefront cannot be exported now,
 * or if `out` cannot be created.
 */
export async function exportStorefront(asked: Asked): Promise<Transferred> {
  const { storefrontId, out, passphrase, as } = asked
  const salt = newSalt()
  const key = await fileKey(passphrase, salt)
  return withClient(async (client) => {
    const summary = { rows: 0, takenAt: '', sha256: '', unopened: 0, isHeldByThis: false }
    const lines = contentsOf(client, asked, { salt, key }, summary)
    const withHash = signed(lines, key, (sha256) => {
      summary.sha256 = sha256
    })
    await writePacked(out, 'out', withHash).catch(async (error) => {
      if (summary.isHeldByThis) await letGo(storefrontId, error)
      throw error
    })
    const { sha256, rows, takenAt, unopened } = summary
    await db()
      .$transaction((sql) =>
        writeAudit(sql, commandLine(), {
          action: 'storefront.export',
          subject: storefrontId,
          before: null,
          after: { as, rows, unopened, sha256 },
        }),
      )
      .catch((error) => {
        // The file is complete and can be imported elsewhere, so the storefront stays on hold in this installation.
        throw summary.isHeldByThis ? new StillOnHold('exported', { cause: error }) : error
      })
    return { storefrontId, as, takenAt, rows, unopened, sha256 }
  })
}

async function letGo(storefrontId: string, cause: unknown): Promise<void> {
  try {
    await release(storefrontId)
  } catch {
    // The operator sees the error that prevented the export, not the error of the failed release.
    throw new StillOnHold('not exported', { cause })
  }
}

async function* contentsOf(
  client: pg.Client,
  { storefrontId, as }: Asked,
  { salt, key }: { salt: string; key: FileKey },
  summary: { rows: number; takenAt: string; isHeldByThis: boolean } & Unopened,
): AsyncGenerator<string> {
  // No transaction writes to a storefront on hold, so a snapshot after this line is final.
  if (as === 'move') summary.isHeldByThis = await hold(storefrontId)
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const storefront = await storefrontIn(client, storefrontId)
  const rows = await countsOf(client, storefrontId)
  const { name, vatId } = config().seller
  summary.takenAt = new Date().toISOString()
  const header: Header = {
    billhookStorefront: 1,
    takenAt: summary.takenAt,
    as,
    migrations: await migrationsOf(client),
    storefront,
    seller: { name, vatId },
    salt,
    proof: Buffer.from(key.seal('proof', proofAt)).toString('base64'),
    rows,
  }
  yield line(header)
  const columns = new Map(await tablesOf(client))
  const written: Record<string, number> = {}
  for (const [table, how] of Object.entries(exported)) {
    const own = columns.get(table) ?? []
    yield line({ table, columns: own })
    const again = forFile(how, key, own, summary)
    written[table] = 0
    for await (const values of rowsOf(client, selectionOf(table, how, own, storefrontId))) {
      yield line(again(values))
      written[table] += 1
    }
    summary.rows += written[table]
  }
  yield* recordsOf(client, columns.get('audit_entries') ?? [], storefrontId)
  const end: End = { rows: written, series: await seriesOf(client, storefrontId) }
  yield line({ end })
}

/** Refuses an unknown storefront, and a storefront whose test clock is advancing. */
async function storefrontIn(client: pg.Client, id: string): Promise<{ id: string; name: string }> {
  const { rows } = await client.query(
    `SELECT s.name, c.advancing_to IS NOT NULL AS advancing FROM storefronts s JOIN clocks c ON c.storefront_id = s.id WHERE s.id = $1`,
    [id],
  )
  if (!rows[0]) throw invalid('storefront', 'There is no storefront with this id.')
  if (rows[0].advancing)
    throw invalid('storefront', 'The test clock of the storefront is being advanced. Try again after the advance.')
  return { id, name: rows[0].name }
}

function selectionOf(table: string, { rows, as = {} }: Exported, columns: readonly string[], id: string): string {
  const taken = columns.map((column) => as[column] ?? `t.${pg.escapeIdentifier(column)}`)
  return ofStorefront(`SELECT ${taken.join(', ')} FROM ${table} t WHERE ${rows}`, id)
}

async function* rowsOf(client: pg.Client, selection: string): AsyncGenerator<(string | null)[]> {
  for await (const row of linesOf(client.query(copyTo(`COPY (${selection}) TO STDOUT`)))) yield valuesOf(row.toString())
}

async function* recordsOf(client: pg.Client, columns: readonly string[], id: string): AsyncGenerator<string> {
  yield line({ record: 'audit_entries', columns })
  for await (const values of rowsOf(client, selectionOf('audit_entries', { rows: auditRows }, columns, id)))
    yield line(values)
}

async function seriesOf(client: pg.Client, storefrontId: string): Promise<End['series']> {
  const { rows } = await client.query(
    `SELECT name, last::text FROM invoice_series WHERE scope = 'live' AND name IN (
      SELECT substring(invoice_number FROM '^(.*)-[0-9]+$') FROM orders WHERE storefront_id = $1 AND invoice_scope = 'live')
    ORDER BY name`,
    [storefrontId],
  )
  return rows
}
