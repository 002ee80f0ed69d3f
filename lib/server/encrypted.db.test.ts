import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { filesBelow } from '../../scripts/source-files.mjs'
import { sealKeyIds } from '../platform/crypto/sealed.ts'
import { closeDatabase, db } from '../platform/db/db.ts'
import type { Task } from '../platform/jobs/tasks.ts'
import { configure } from '../testing/configure.ts'
import { everySecret } from '../testing/every-secret.ts'
import { recordedQueries, scansOf } from '../testing/recorded-queries.ts'
import { encrypted } from './encrypted.ts'
import { keyColumnsOf, pagesOf } from './encrypted-rows.ts'
import { renewSecretKey } from './renew-secret-key.ts'
import { checkedColumns, uncheckedColumns } from './secret-key.ts'

const former = 'the former key of this installation that is long enough'
const current = 'the current key of this installation that is long enough'
const silent = () => undefined

let close: () => Promise<unknown>
beforeAll(async () => {
  configure({ SECRET_KEY: former, SECRET_KEY_PREVIOUS: undefined })
  await db().key_proofs.deleteMany()
  ;({ close } = await everySecret())
})
afterAll(() => close())

const notEncrypted = {
  'the SHA-256 of a random secret': [
    ...['api_keys.hash', 'member_invitations.token_hash', 'operator_devices.hash', 'operator_recovery_codes.hash'],
    ...['operator_sessions.secret_hash', 'password_resets.token_hash', 'portal_sessions.secret_hash'],
    'used_passkey_challenges.hash',
  ],
  'a hash with SECRET_KEY, which the renewal computes again': [
    'email_changes.address_hash',
    'email_suppressions.address_hash',
  ],
  'a hash with SECRET_KEY, for which the renewal appends an entry': ['audit_entries.hash', 'audit_heads.mac'],
  public: ['brand_logos.bytes', 'operator_passkeys.public_key'],
  'a hash of a request': ['idempotency_keys.fingerprint'],
}

/** Encrypted columns that are not bytes. */
const inText = ['idempotency_keys.body', 'tasks.data']

it('every column of bytes is encrypted again by `secret-key renew`, or is listed as not encrypted', async () => {
  const columns = await db().$queryRaw<{ name: string }[]>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type = 'bytea'`
  const listed = [...encrypted.map(({ name }) => name), ...Object.values(notEncrypted).flat()]
  expect(listed.sort()).toEqual([...columns.map(({ name }) => name), ...inText].sort())
  const hashes = encrypted.flatMap(({ table, found }) => (found ? [`${table}.${found.column}`] : []))
  expect(hashes.sort()).toEqual(notEncrypted['a hash with SECRET_KEY, which the renewal computes again'])
})

it('doctor checks every encrypted column, or the column is listed with the reason why doctor skips it', () => {
  const listed = [...Object.keys(checkedColumns), ...Object.keys(uncheckedColumns)]
  expect(listed.sort()).toEqual(encrypted.map(({ name }) => name).sort())
})

/** The files that encrypt values, with the columns that store these values. */
const encrypting: Readonly<Record<string, readonly string[]>> = {
  'lib/modules/chargebacks/evidence-store.ts': ['chargeback_evidence.sealed'],
  'lib/modules/emails/sealed-address.ts': ['tasks.data'],
  'lib/modules/emails/store.ts': ['emails.sealed'],
  'lib/modules/emails/suppressions.ts': ['email_suppressions.sealed'],
  'lib/modules/operators/store.ts': ['operator_sessions.totp_secret', 'operators.totp_secret'],
  'lib/modules/orders/withdrawals.ts': ['order_withdrawals.sealed'],
  'lib/modules/payouts/account-store.ts': ['payout_accounts.sealed'],
  'lib/modules/payouts/export-store.ts': ['payout_batches.sealed'],
  'lib/modules/portal/email-changes.ts': ['email_changes.sealed'],
  'lib/modules/provider-accounts/store.ts': ['provider_accounts.sealed'],
  'lib/modules/webhooks/secrets.ts': ['webhook_endpoints.previous_secret', 'webhook_endpoints.sealed_secret'],
  'lib/platform/http/idempotency.ts': ['idempotency_keys.body'],
  'lib/server/secret-key.ts': ['key_proofs.sealed'],
  // The following files encrypt values for cookies, forms, and links. The database does not store these values.
  'lib/admin/endpoints.ts': [],
  'lib/modules/operators/confirm.ts': [],
  'lib/modules/operators/devices.ts': [],
  'lib/platform/http/form-state.ts': [],
  'lib/workflows/passkeys/challenge.ts': [],
  // `renew-secret-key.ts` and `reseal.ts` encrypt existing values of the columns above. `passphrase.ts` encrypts the values in an export file.
  'lib/server/renew-secret-key.ts': [],
  'lib/workflows/transfer/passphrase.ts': [],
  'lib/workflows/transfer/reseal.ts': [],
}

it('every file that encrypts a value is listed with the columns that store the value', () => {
  const calls = ['app', 'components', 'lib']
    .flatMap(filesBelow)
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.') && !file.startsWith('lib/testing/'))
    .filter((file) => file !== 'lib/platform/crypto/sealed.ts')
    .filter((file) => /(?<![\w.])seal\(/.test(readFileSync(path.resolve(file), 'utf8')))
  expect(calls.sort()).toEqual(Object.keys(encrypting).sort())
  expect(Object.values(encrypting).flat().sort()).toEqual(encrypted.map(({ name }) => name).sort())
})

it('`secret-key renew` encrypts the email address in each type of task that has an encrypted address', async () => {
  const files = filesBelow('lib').filter((file) => file.endsWith('/tasks.ts') && !file.startsWith('lib/platform/'))
  const modules = await Promise.all(files.map((file) => import(path.resolve(file))))
  const types = modules.flatMap((each) => Object.values(each) as Task<unknown>[])
  const names = types.filter(({ data }) => data instanceof z.ZodObject && 'sealedEmail' in data.shape)
  const renewed = encrypted.find(({ table }) => table === 'tasks')?.among
  expect(names.map(({ name }) => `name = '${name}'`).sort()).toEqual([...(renewed ?? [])].sort())
})

/** The columns in which any row contains the id of a key, in hexadecimal or in base64. */
async function columnsWith(keyId: string): Promise<string[]> {
  // The first five base64 characters contain 30 of the 32 bits of the key id.
  const start = Buffer.from(keyId, 'hex').toString('base64').slice(0, 5)
  const texts = [`x${keyId}`, start, start.replaceAll('+', '-').replaceAll('/', '_')]
  const columns = await db().$queryRaw<{ table: string; column: string }[]>`
    SELECT c.table_name::text AS table, c.column_name::text AS column FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.data_type IN ('bytea', 'text', 'json', 'jsonb')`
  const found: string[] = []
  for (const { table, column } of columns) {
    const conditions = texts.map((_, index) => `strpos("${column}"::text, $${index + 1}) > 0`).join(' OR ')
    const rows = await db().$queryRawUnsafe<unknown[]>(`SELECT 1 FROM "${table}" WHERE ${conditions} LIMIT 1`, ...texts)
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found.sort()
}

it('`secret-key renew` encrypts every encrypted column again', async () => {
  const { current: formerId } = sealKeyIds()
  const names = encrypted.map(({ name }) => name).sort()
  expect(await columnsWith(formerId)).toEqual(names)
  configure({ SECRET_KEY: current, SECRET_KEY_PREVIOUS: former })
  // The command refuses to run while other database connections exist, unless a process has started with the new key.
  await closeDatabase()
  const renewed = await renewSecretKey(silent)
  expect(renewed.filter((row) => row.renewed === 0)).toEqual([])
  expect(renewed.filter(({ left, unreadable, damaged }) => left + unreadable + damaged > 0)).toEqual([])
  expect(await columnsWith(formerId)).toEqual([])
  expect(await columnsWith(sealKeyIds().current)).toEqual(names)
})

it('each statement that looks for encrypted values reads at most 1,000 rows', async () => {
  const copies = (table: string, changed: string) =>
    db().$executeRawUnsafe(`
      INSERT INTO ${table} SELECT (jsonb_populate_record(source, jsonb_build_object('id', 'copy_' || n, ${changed}))).*
      FROM ${table} source, generate_series(1, 2500) n WHERE source.id = (SELECT min(id) FROM ${table})`)
  await copies('tasks', "'name', 'copy', 'key', n, 'data', '{}'::jsonb")
  await copies('operator_sessions', "'secret_hash', '\\x' || md5(n::text), 'totp_secret', NULL")
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  try {
    // Without these settings, the planner would read each table as a whole, because the tables are small.
    await client.query('SET enable_seqscan = off')
    await client.query('SET plan_cache_mode = auto')
    await client.query('ANALYZE tasks, operator_sessions')
    const run = async (query: pg.QueryConfig) => (await client.query(query)).rows
    const read: string[] = []
    for (const of of encrypted) {
      const key = await keyColumnsOf(of)
      const queries = await recordedQueries(async () => {
        for await (const page of pagesOf(of, key)) read.push(`${of.name} ${page.length}`)
      })
      for (const query of queries)
        expect(
          (await scansOf(run, query)).filter(({ rows }) => rows > 1_000),
          query.text,
        ).toEqual([])
    }
    expect(read).toEqual(expect.arrayContaining(['tasks.data 1', 'operator_sessions.totp_secret 1']))
  } finally {
    await client.end()
  }
})
