// `npm run upgrade:record` writes `releases/VERSION.json.br`. The file contains a database of this version with a year
// of history, and the responses of this version for that database. `e2e/upgrade.spec.ts` migrates the recorded
// databases.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import pg from 'pg'
import { killAll, start, stopAll } from '../../e2e/own-service.ts'
import { startEmbedded } from '../embedded-postgres.mjs'
import { root } from '../environment.mjs'
import { command, UserFacingError } from '../user-facing-error.mjs'
import { type Dump, takeRows } from './dump.ts'
import { commandOn, environmentOf, readAll } from './reads.ts'

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const file = path.join(root, 'scripts/upgrade/releases', `${version}.json.br`)
const mostBytes = 400_000

command(async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-record-'))
  // If root runs this script, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711)
  const database = await startEmbedded({ directory: path.join(folder, 'postgres'), purpose: 'record' })
  const secretKey = randomBytes(24).toString('base64url')
  const environment = { ...environmentOf(database.url, { secretKey }), BILLHOOK_DATA: folder }
  try {
    const baseUrl = await start('all', environment)
    const { storefrontId, testKey } = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8'))
    const args = [path.join(root, 'packages/cli/bin/billhook.js'), 'seed', '--year']
    const env = { ...process.env, BILLHOOK_URL: baseUrl, BILLHOOK_KEY: testKey }
    if (spawnSync(process.execPath, args, { env, stdio: 'inherit' }).status !== 0)
      throw new UserFacingError('The year of history was not made.')
    await stopAll()
    await keepNewestEmails(database.url)
    // The test clock advances faster than the nightly task can close days, so this command computes the daily figures.
    commandOn(database.url, { secretKey }, 'figures', 'rebuild', '--storefront', storefrontId)
    const web = await start('web', environment)
    const rows = await takeRows(database.url)
    const reads = await readAll(web, database.url, { secretKey, storefrontId, testKey })
    await stopAll()
    const dump: Dump = { version, secretKey, storefrontId, testKey, ...rows, reads }
    const bytes = brotliCompressSync(JSON.stringify(dump), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } })
    if (bytes.length > mostBytes)
      throw new UserFacingError(`The dump has ${bytes.length} bytes, more than ${mostBytes}.`)
    writeFileSync(file, bytes)
    console.log(`${path.relative(root, file)}: ${bytes.length} bytes`)
  } finally {
    killAll()
    await database.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
})

/**
 * Deletes all except the newest emails, because encrypted emails take most of the space, and because the service
 * deletes old emails too.
 */
async function keepNewestEmails(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `WITH newest AS (SELECT id, original_id FROM emails ORDER BY created_at DESC, id LIMIT 20)
     DELETE FROM emails WHERE id NOT IN (SELECT id FROM newest)
       AND id NOT IN (SELECT original_id FROM newest WHERE original_id IS NOT NULL)`,
  )
  await client.end()
}
