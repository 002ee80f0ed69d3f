import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, vi } from 'vitest'
import * as configs from '../platform/config.ts'
import { closeDatabase } from '../platform/db/db.ts'
import { writeUses } from '../platform/http/key-use.ts'
import * as passphrases from '../workflows/transfer/passphrase.ts'
import { allInvariants } from './invariants.ts'
import { templateName } from './template-database.ts'

/** Each installation is a database with its own SECRET_KEY. This process works in one installation at a time. */

const server = process.env.TEST_DATABASE_URL ?? ''
const { databaseUrl, secretKey } = configs.config()
export const first: Installation = { url: databaseUrl, secretKey }
let made = 0

export interface Installation {
  readonly url: string
  readonly secretKey: string
}

export async function queried<Row>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' })
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

export async function anInstallation(): Promise<Installation> {
  made += 1
  const url = Object.assign(new URL(first.url), { pathname: `${new URL(first.url).pathname}_${made}` })
  await queried(server, `CREATE DATABASE "${url.pathname.slice(1)}" TEMPLATE ${templateName}`)
  return { url: url.href, secretKey: `the secret of installation ${made}, long enough` }
}

let isQuick = false
const quickKey = async (passphrase: string, salt: string) =>
  passphrases.keyFrom(createHash('sha512').update(`${salt} ${passphrase}`).digest())

export async function workIn(
  { url: databaseUrl, secretKey }: Installation,
  environment: Record<string, string> = {},
): Promise<void> {
  await closeDatabase()
  vi.restoreAllMocks()
  const settings = configs.readConfig({ ...process.env, ...environment })
  vi.spyOn(configs, 'config').mockReturnValue({ ...settings, databaseUrl, secretKey })
  if (isQuick) vi.spyOn(passphrases, 'fileKey').mockImplementation(quickKey)
}

/**
 * Returns the number of rows and a hash of the rows of each table. First writes the last uses of API keys that are
 * still in memory, because a later write would change rows between two calls.
 */
export async function contentsOf({ url }: Pick<Installation, 'url'>): Promise<Record<string, string>> {
  await writeUses()
  const tables = await queried<{ name: string }>(
    url,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
  )
  const each = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*) || ' ' || md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) AS rows FROM "${name}" t`,
  )
  const rows = await queried<{ name: string; rows: string }>(url, each.join(' UNION ALL '))
  return Object.fromEntries(rows.map(({ name, rows: found }) => [name, found]))
}

export async function brokenIn({ url }: Pick<Installation, 'url'>): Promise<string[]> {
  const broken = await queried<{ name: string }>(url, allInvariants)
  return broken.map(({ name }) => name)
}

/**
 * Makes a folder for transfer files. The derivation of a key is slow by design, so the tests use a quick derivation
 * unless `derivesKeys` is true.
 */
export function transferFolder({ derivesKeys = false } = {}) {
  isQuick = !derivesKeys
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-transfer-'))
  const at = (name: string) => path.join(folder, name)
  writeFileSync(at('passphrase'), 'correct horse battery staple\n')
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await closeDatabase()
    for (; made > 0; made--)
      await queried(server, `DROP DATABASE "${new URL(first.url).pathname.slice(1)}_${made}" WITH (FORCE)`)
  })
  const secret = `--passphrase-file ${at('passphrase')}`
  return {
    at,
    exporting: (id: string, name: string, as = 'copy') =>
      `storefront export --storefront ${id} --out ${at(name)} ${secret} --as ${as}`,
    importing: (name: string) => `storefront import --in ${at(name)} ${secret}`,
  }
}
