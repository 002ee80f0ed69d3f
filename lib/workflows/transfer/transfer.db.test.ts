import { readdirSync, readFileSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auditLog, verifyAudit } from '../../modules/audit/operations.ts'
import { suppressionsOf } from '../../modules/emails/suppressions.ts'
import { config } from '../../platform/config.ts'
import { seal, searchHashes, unseal } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { answer, cli, isRefused } from '../../testing/command-line.ts'
import {
  anInstallation,
  brokenIn,
  contentsOf,
  first,
  type Installation,
  queried,
  transferFolder,
  workIn,
} from '../../testing/installations.ts'
import { seedEverything } from '../../testing/seed-everything.ts'
import { exported, kept, type Row, type Sealed } from './tables.ts'

const { at, exporting, importing } = transferFolder()
let second: Installation
let ids: string[] = []

type Rows = Record<string, Record<string, unknown>[]>

async function rowsOf({ url }: Installation, id: string): Promise<Rows> {
  const each = Object.entries(exported).map(
    ([table, { rows }]) => `SELECT '${table}' AS table, coalesce(json_agg(to_jsonb(t) ORDER BY t::text), '[]') AS rows
      FROM ${table} t WHERE ${rows.replaceAll('$1', () => `'${id}'`)}`,
  )
  const found = await queried<{ table: string; rows: Rows[string] }>(url, each.join(' UNION ALL '))
  return Object.fromEntries(found.map(({ table, rows }) => [table, rows]))
}

beforeAll(async () => {
  const seeded = await seedEverything()
  await seeded.close()
  ids = (await db().storefronts.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)
  await seedTheRest(ids[0] ?? '')
})
beforeEach(async () => {
  second = await anInstallation()
  await workIn(first)
})

async function seedTheRest(id: string): Promise<void> {
  const of = { storefront_id: id, testmode: true }
  const now = new Date('2026-11-24T10:00:00Z')
  const order = await db().orders.findFirstOrThrow({ where: { ...of, checkout_id: { not: null } } })
  const [payment, another] = await db().payments.findMany({ where: of, take: 2 })
  const customer = await db().customers.findFirstOrThrow({ where: of })
  const subscription = await db().subscriptions.findFirstOrThrow({ where: of })
  await db().mollie_payments.create({ data: { payment_id: payment?.id ?? '', ref: 'tr_1', asked_at: now } })
  await db().stripe_payments.create({ data: { payment_id: another?.id ?? '', ref: 'pi_1', asked_at: now } })
  await db().tax_id_checks.create({
    data: { id: 'tax_id_check_1', ...of, tax_id: 'DE1', result: 'valid', source: 'vies', checked_at: now },
  })
  await db().sale_evidence.create({
    data: { order_id: order.id, ...of, declared_country: 'DE', tax_reason: 'standard', created_at: now },
  })
  const feedback = { reason: 'other' as const, comment: 'Back\\slash,\ttab,\nline and \u2713', created_at: now }
  await db().cancellation_feedback.create({ data: { subscription_id: subscription.id, ...of, ...feedback } })
  const note = {
    id: 'note_1',
    ...of,
    customer_id: customer.id,
    text: 'Called',
    author_id: 'operator_1',
    created_at: now,
  }
  await db().customer_notes.create({ data: note })
  const change = { id: 'email_change_1', ...of, customer_id: customer.id, created_at: now, expires_at: now }
  const sealed = seal(
    JSON.stringify({ from: 'a@example.com', to: 'b@example.com' }),
    'email_changes|email_change_1|sealed',
  )
  await db().email_changes.create({ data: { ...change, sealed, address_hash: searchHashes('b@example.com')[0] } })
  const suppressed = JSON.stringify({ address: 'gone@example.com', reason: null })
  await db().email_suppressions.create({
    data: {
      id: 'email_suppression_1',
      ...of,
      cause: 'bounce',
      noticed_at: now,
      sealed: seal(suppressed, 'email_suppressions|email_suppression_1|sealed'),
      address_hash: searchHashes('gone@example.com')[0],
    },
  })
  const erased = JSON.stringify({ address: null, reason: null })
  await db().email_suppressions.create({
    data: {
      id: 'email_suppression_2',
      ...of,
      cause: 'bounce',
      noticed_at: now,
      sealed: seal(erased, 'email_suppressions|email_suppression_2|sealed'),
      address_hash: searchHashes('erased@example.com')[0],
    },
  })
  const body = seal('{"a":1}', `idempotency_keys|${id}|true|POST|/v1/customers|again`)
  await db().idempotency_keys.create({
    data: {
      ...of,
      method: 'POST',
      route: '/v1/customers',
      key: 'again',
      fingerprint: Buffer.from('f'),
      claim: 'c',
      leased_until: now,
      status: 201,
      body: Buffer.from(body).toString('base64'),
      created_at: new Date(),
    },
  })
}

it('every table is exported or excluded, and every byte column is encrypted or listed as free of secrets', async () => {
  const columns = await queried<{ table: string; column: string; type: string }>(
    first.url,
    `SELECT table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`,
  )
  const tables = [...new Set(columns.map(({ table }) => table))].sort()
  expect([...Object.keys(exported), ...Object.keys(kept)].sort()).toEqual(tables)
  for (const { table, column } of columns.filter(({ table, type }) => table in exported && type === 'bytea')) {
    const { sealed = [], plainBytes = [] } = exported[table] ?? {}
    const secret = sealed.flatMap(({ column, found }) => [column, found?.column])
    expect([...secret, ...plainBytes], `${table}.${column}`).toContain(column)
  }
  const own = columns.filter(({ table, column }) => column === 'storefront_id' && !(table in exported))
  expect(own.map(({ table }) => table)).toEqual(['portal_sessions'])
})

it('each storefront is imported completely and unchanged, without rows of other storefronts', async () => {
  const { audit_entries: _, audit_heads: __, ...unchanged } = await contentsOf(first)
  for (const [n, id] of ids.entries()) await answer(`${exporting(id, `all-${n}`)} --json`)
  expect(await contentsOf(first)).toMatchObject(unchanged)
  await workIn(first)
  const expected: Record<string, string[]>[] = []
  for (const [n, id] of ids.entries()) {
    expected.push(comparable(await rowsOf(first, id)))
    expect(statSync(at(`all-${n}`)).mode & 0o777).toBe(0o600)
    const text = gunzipSync(readFileSync(at(`all-${n}`))).toString()
    for (const stranger of ids.filter((each) => each !== id)) expect(text).not.toContain(stranger)
    for (const secret of ['live_seedseed', 'gone@example.com', 'NL91ABNA0417164300']) expect(text).not.toContain(secret)
  }
  const filled = new Set<string>()
  await workIn(second)
  for (const [n, id] of ids.entries()) {
    const imported = await answer(`${importing(`all-${n}`)} --json`)
    expect(imported).toMatchObject({ storefrontId: id, as: 'copy', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    await workIn(second)
    const [entry] = await auditLog(null, 1)
    expect(entry).toMatchObject({ action: 'storefront.import', subject: id, after: { sha256: imported.sha256 } })
    const found = await rowsOf(second, id)
    expect(comparable(found)).toEqual(expected[n])
    expect(found.storefronts?.[0]?.held_at).not.toBeNull()
    for (const [table, rows] of Object.entries(found)) if (rows.length > 0) filled.add(table)
  }
  expect(Object.keys(exported).filter((table) => !filled.has(table))).toEqual([])
  expect((await verifyAudit()).brokenAt).toBeNull()
})

/** Decrypts values, and omits the columns that an import changes. */
const comparable = (rows: Rows): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(rows).map(([table, all]) => [table, all.map((row) => JSON.stringify(opened(table, row))).sort()]),
  )

const ofARun = ['run_at', 'leased_until', 'handed_over_at', 'claim_version']

function opened(table: string, row: Rows[string][number]): Rows[string][number] {
  const { sealed = [] } = exported[table] ?? {}
  const without = table === 'tasks' ? ofARun : table === 'storefronts' ? ['held_at'] : []
  const left = Object.fromEntries(Object.entries(row).filter(([column]) => !without.includes(column)))
  const texts: Row = Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'boolean' ? (String(value)[0] ?? '') : String(value),
    ]),
  )
  return Object.assign({}, left, ...sealed.map((rule) => openedColumn(rule, row, texts)))
}

function openedColumn(sealed: Sealed, row: Rows[string][number], texts: Row): Rows[string][number] {
  const text = row[sealed.column]
  if (typeof text !== 'string') return {}
  const bytes = sealed.encoding === 'hex' ? Buffer.from(text.slice(2), 'hex') : Buffer.from(text, 'base64')
  const plain = unseal(bytes, sealed.at(texts))
  const found = sealed.found?.by(plain) ?? null
  if (!sealed.found || found === null) return { [sealed.column]: plain }
  const [hash] = searchHashes(found)
  expect(row[sealed.found.column]).toBe(`\\x${Buffer.from(hash).toString('hex')}`)
  return { [sealed.column]: plain, [sealed.found.column]: '' }
}

it('each list with rows is exported as one CSV file in a new folder', async () => {
  const [id = ''] = ids
  const csv = `storefront export --storefront ${id} --out ${at('csv')} --format csv`
  const { files } = await answer(`${csv} --json`)
  await workIn(first)
  expect(files).toEqual(
    expect.arrayContaining(['test-orders.csv', 'test-order-lines.csv', 'test-plans.csv', 'live-keys.csv']),
  )
  expect(readdirSync(at('csv')).sort()).toEqual([...files].sort())
  const rowsIn = (name: string) => readFileSync(at(`csv/${name}`), 'utf8').split('\r\n').length - 2
  expect(rowsIn('test-orders.csv')).toBe(await db().orders.count({ where: { storefront_id: id } }))
  const [{ count } = { count: 0 }] = await queried<{ count: number }>(
    first.url,
    `SELECT count(*)::int AS count FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.storefront_id = '${id}'`,
  )
  expect(rowsIn('test-order-lines.csv')).toBe(count)
  // Each list has one file in each mode. The file of an empty list has only the header line.
  const listsIn = (mode: string) => files.flatMap((name: string) => name.match(`^${mode}-(.*)`)?.[1] ?? []).sort()
  expect(listsIn('live')).toEqual(listsIn('test'))
  expect(readFileSync(at('csv/live-orders.csv'), 'utf8')).toMatch(/^id,invoiceNumber,.*,paidAt\r\n$/)
  expect((await isRefused(`${csv} --as move`)).message).toBe(
    '--as: A move needs a file that can be imported. Remove --format csv.',
  )
  expect((await isRefused(csv)).message).toBe('--out: A file or folder with this name already exists.')
  expect((await isRefused(csv.replace(at('csv'), at('no/folder')))).message).toContain('cannot be created (ENOENT)')
  expect((await isRefused(csv.replace(id, 'storefront_none'))).message).toContain('no storefront')
  expect((await isRefused(csv.replace('--format csv', '--format file'))).message).toContain('--passphrase-file')
})

describe('the transfer of a storefront after a key was lost', () => {
  const lost = { ...first, secretKey: 'another secret than it was, long enough' }
  const byHand = (rows: Rows) =>
    Object.fromEntries(
      Object.entries(rows).map(([table, all]) => {
        const changed = table === 'tasks' ? ofARun : table === 'storefronts' ? ['held_at'] : []
        const unchanged = (row: Rows[string][number]) => Object.entries(row).filter(([name]) => !changed.includes(name))
        return [table, all.map((row) => JSON.stringify(unchanged(row))).sort()]
      }),
    )
  const sealedIn = (rows: Rows) =>
    Object.entries(rows).flatMap(([table, all]) => {
      const columns = (exported[table]?.sealed ?? []).map(({ column }) => column)
      return columns.flatMap((column) => all.filter((row) => ![null, '\\x'].includes(row[column] as string | null)))
    }).length

  it('after a key is lost, all rows are transferred, and the number of unreadable values is reported', async () => {
    const [id = ''] = ids
    await workIn(lost)
    await answer('secret-key accept --json')
    await workIn(lost)
    const before = await rowsOf(first, id)
    const { stdout, stderr, status } = await cli(exporting(id, 'lost'))
    expect([status, stderr]).toEqual([0, ''])
    expect(sealedIn(before)).toBeGreaterThan(10)
    expect(stdout).toContain(`Encrypted values that no key decrypts: ${sealedIn(before)}, such as emails`)
    await workIn(second)
    expect(await answer(`${importing('lost')} --json`)).toMatchObject({ unopened: sealedIn(before) })
    expect(byHand(await rowsOf(second, id))).toEqual(byHand(before))
    expect(await brokenIn(second)).toEqual(await brokenIn(first))
    Object.assign(config(), { secretKeyPrevious: [first.secretKey] })
    const found = await suppressionsOf(db(), { storefrontId: id, testmode: true }, 'gone@example.com')
    expect(found).toMatchObject([{ address: 'gone@example.com' }])
    await workIn(first)
    await answer('secret-key accept --json')
  })
})
