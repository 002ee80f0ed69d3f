import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import { refuse } from '../../kernel/refusal.ts'
import { line } from '../../platform/db/packed-lines.ts'
import type { FileKey } from './passphrase.ts'

/**
 * The export file has lines of JSON, compressed with gzip. The first line describes the file. Each table has a line with its name and columns, then
 * one line per row with values in PostgreSQL's text format, or null. The audit log of the storefront follows in the same format, but under the key
 * `record`, because an import does not store it. The next line has the number of rows per table, and the last invoice number of each series. The last
 * line has the hash of all earlier lines, signed with the passphrase.
 */

const counts = z.record(z.string(), z.int().min(0))

export const header = z.strictObject({
  billhookStorefront: z.literal(1),
  takenAt: z.iso.datetime(),
  /** `move`: the storefront is on hold at its origin. `copy`: the storefront continues at its origin. */
  as: z.enum(['copy', 'move']),
  migrations: z.array(z.string()),
  storefront: z.strictObject({ id: z.string(), name: z.string() }),
  seller: z.strictObject({ name: z.string(), vatId: z.string().nullable() }),
  salt: z.base64(),
  /** Detects a wrong passphrase at the start of an import. */
  proof: z.base64(),
  rows: counts,
})
export type Header = z.infer<typeof header>

export const section = z.strictObject({
  table: z.string().optional(),
  record: z.string().optional(),
  columns: z.array(z.string()),
})

export const end = z.strictObject({
  end: z.strictObject({
    rows: counts,
    series: z.array(z.strictObject({ name: z.string(), last: z.string().regex(/^\d{1,18}$/) })),
  }),
})
export type End = z.infer<typeof end>['end']

const last = z.strictObject({ sha256: z.string(), mac: z.string() })
export const values = z.array(z.string().nullable())

export const proofAt = 'transfer|proof'
export const damaged = () =>
  refuse('file_damaged', 'in', 'The file is damaged, incomplete, or not a storefront export.')

export async function* signed(
  lines: AsyncIterable<string>,
  key: FileKey,
  onHash: (sha256: string) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  for await (const each of lines) {
    hash.update(each)
    yield each
  }
  const sha256 = hash.digest('hex')
  onHash(sha256)
  yield line({ sha256, mac: key.mac(sha256) })
}

export class FileReader {
  private readonly hash: Hash = createHash('sha256')

  constructor(private readonly lines: AsyncGenerator<Buffer>) {}

  /** Returns the next line. Refuses if the file has no further line. Throws a SyntaxError if the line is not JSON. */
  async next(): Promise<unknown> {
    const { value, done } = await this.lines.next()
    if (done) throw damaged()
    this.hash.update(value).update('\n')
    return JSON.parse(value.toString('utf8'))
  }

  /** Refuses a file that was changed, or that has data after its last line. Returns the hash of the file. */
  async finish(key: FileKey): Promise<string> {
    const sha256 = this.hash.copy().digest('hex')
    const said = last.parse(await this.next())
    if (said.sha256 !== sha256 || said.mac !== key.mac(sha256)) throw damaged()
    if (!(await this.lines.next()).done) throw damaged()
    return sha256
  }
}
