import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { isLongForm } from '../../testing/amount.ts'
import { answer, cli, isPrevented, isRefused } from '../../testing/command-line.ts'
import { killedAt } from '../../testing/crash.ts'
import * as factories from '../../testing/factories.ts'
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
import { aReceiver } from '../../testing/receiver.ts'
import { subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { importStorefront } from './import.ts'
import { fileKey } from './passphrase.ts'

// The derivation of a key is slow by design, so the mock derives the key of each passphrase and salt once.
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>()
  const derived = new Map<string, Promise<Buffer>>()
  const scrypt = (
    passphrase: string,
    salt: Buffer,
    bytes: number,
    cost: import('node:crypto').ScryptOptions,
    done: (error: Error | null, key?: Buffer) => void,
  ) => {
    const of = JSON.stringify([passphrase, salt.toString('base64'), bytes, cost])
    const key =
      derived.get(of) ??
      new Promise<Buffer>((resolve, reject) =>
        crypto.scrypt(passphrase, salt, bytes, cost, (error, key) => (error ? reject(error) : resolve(key))),
      )
    derived.set(of, key)
    key.then((made) => done(null, made), done)
  }
  return { ...crypto, scrypt }
})

const { at: path, exporting, importing } = transferFolder({ derivesKeys: true })
const at = (name: string) => path(name.replaceAll(' ', '-'))
const damage = '--in: The file is damaged, incomplete, or not a storefront export.'
let id: string
let second: Installation
let empty: Record<string, string>

beforeAll(async () => {
  const { shop, key } = await subscriptionScenario()
  const receiver = await aReceiver()
  await factories.anEndpoint(key, receiver.url)
  await receiver.close()
  id = shop.storefrontId
  await answer(`${exporting(id, 'whole')} --json`)
  await workIn(first)
})
beforeEach(async () => {
  second ??= await anInstallation()
  empty ??= await contentsOf(second)
  await workIn(second)
})

const lines = () =>
  gunzipSync(readFileSync(at('whole')))
    .toString()
    .trimEnd()
    .split('\n')
const write = (name: string, changed: readonly string[]) => writeFileSync(at(name), gzipSync(`${changed.join('\n')}\n`))
async function refusedWith(name: string): Promise<string> {
  const { status, stderr } = await cli(importing(name.replaceAll(' ', '-')))
  expect([name, status]).toEqual([name, 1])
  expect([name, await contentsOf(second)]).toEqual([name, empty])
  await workIn(second)
  return stderr.trim()
}
const changed = (find: string | RegExp, by: string) => {
  const all = lines()
  const at = all.findIndex((each) => each.search(find) >= 0)
  expect(at).toBeGreaterThanOrEqual(0)
  return all.with(at, (all[at] ?? '').replace(find, by))
}

it('an import refuses a truncated file', async () => {
  const bytes = readFileSync(at('whole'))
  const all = lines()
  for (let tenth = 0; tenth < 10; tenth += isLongForm ? 1 : 3) {
    writeFileSync(at(`bytes-${tenth}`), bytes.subarray(0, Math.floor((bytes.length * tenth) / 10)))
    expect(await refusedWith(`bytes-${tenth}`)).toBe(damage)
    write(`lines-${tenth}`, all.slice(0, Math.floor((all.length * tenth) / 10)))
    expect(await refusedWith(`lines-${tenth}`)).toBe(damage)
  }
  writeFileSync(at('without its last bytes'), bytes.subarray(0, -4))
  expect(await refusedWith('without its last bytes')).toBe(damage)
})

it('an import refuses a file if any part of the file was changed', async () => {
  const all = lines()
  const rowOf = (table: string) => all.findIndex((each) => each.startsWith(`{"table":"${table}"`)) + 1
  const files: Record<string, readonly string[]> = {
    'another price': changed('"10000"', '"10001"'),
    'another name of a customer': changed('ada@example.com', 'eve@example.com'),
    'without a row': all.toSpliced(rowOf('orders'), 1),
    'without its last line': all.slice(0, -1),
    'with a line after the end': [...all, '{}'],
    'a sealed value of another row': changed(/\\\\x[0-9a-f]{200}/, `\\\\x${'00'.repeat(100)}`),
    'a table that there is not': changed('{"table":"orders"', '{"table":"operators"'),
    'a column that there is not': changed('"invoice_number"', '"invoice"'),
    'another record': changed('{"record":"audit_entries"', '{"record":"tasks"'),
    'a value that is no text': changed('"10000"', '10000'),
    'the hash of something else': changed(/"sha256":"../, '"sha256":"zz'),
    'the signature of something else': changed(/"mac":"../, '"mac":"zz'),
    'a later moment': changed('"as":"copy"', '"as":"move"'),
    'a word': ['hello'],
  }
  for (const [name, content] of Object.entries(files)) {
    write(name, content)
    expect([name, await refusedWith(name)]).toEqual([name, damage])
  }
  write('a row twice', all.toSpliced(rowOf('customers'), 0, all[rowOf('customers')] ?? ''))
  expect(await refusedWith('a row twice')).toMatch(
    /^--in: This installation already contains data of the file: a row of "customers"/,
  )
  writeFileSync(at('not packed'), all.join('\n'))
  expect(await refusedWith('not packed')).toBe(damage)
  write('a backup', ['{"billhookBackup":1,"takenAt":"2026-11-24T10:00:00.000Z","migrations":[]}'])
  expect(await refusedWith('a backup')).toBe(damage)
})

it('an import refuses a row of another storefront, even if a person with the passphrase added the row', async () => {
  const third = await anInstallation()
  await workIn(third)
  const { merchantId } = await answer('merchant create --json')
  await workIn(third)
  const { storefrontId } = await answer(`storefront create --merchant ${merchantId} --name Victim --json`)
  await workIn(third)
  const all = lines()
  const key = await fileKey('correct horse battery staple', JSON.parse(all[0] ?? '').salt)
  for (const table of ['api_keys', 'customers']) {
    const row = all.findIndex((each) => each.startsWith(`{"table":"${table}"`)) + 1
    const forged = all.with(row, (all[row] ?? '').replace(id, storefrontId)).slice(0, -1)
    const sha256 = createHash('sha256')
      .update(`${forged.join('\n')}\n`)
      .digest('hex')
    write('forged', [...forged, JSON.stringify({ sha256, mac: key.mac(sha256) })])
    const before = await contentsOf(third)
    expect((await isRefused(importing('forged'))).message).toBe(damage)
    expect(await contentsOf(third)).toEqual(before)
    await workIn(third)
  }
})

it('an import refuses a retention horizon that is in the future, or whose id does not match its time', async () => {
  const all = lines()
  const key = await fileKey('correct horse battery staple', JSON.parse(all[0] ?? '').salt)
  const begin = all.findIndex((each) => each.startsWith('{"table":"horizons"'))
  const { columns } = JSON.parse(all[begin] ?? '')
  const forged = (before: string, beforeId: string) => {
    const values: Record<string, string> = { kind: 'events', before, before_id: beforeId, walked_to: '' }
    const row = JSON.stringify(columns.map((column: string) => values[column]))
    const counts = (each: string) => each.replace(/"horizons":\d+/, '"horizons":1')
    const rows = all.findIndex((each, at) => at > begin && each.startsWith('{"table"'))
    const changed = [...all.slice(0, begin + 1), row, ...all.slice(rows, -1)].map(counts)
    const sha256 = createHash('sha256')
      .update(`${changed.join('\n')}\n`)
      .digest('hex')
    write('horizon', [...changed, JSON.stringify({ sha256, mac: key.mac(sha256) })])
  }
  forged('9999-12-31T00:00:00Z', 'zzzzzzzzzzzzzzzzzzzzzz')
  expect(await isRefused(importing('horizon'))).toMatchObject({
    code: 'horizon_in_future',
    message: '--in: horizons.before is in the future: 9999-12-31T00:00:00Z.',
  })
  forged('infinity', 'zzzzzzzzzzzzzzzzzzzzzz')
  expect(await isRefused(importing('horizon'))).toMatchObject({ code: 'horizon_in_future' })
  forged('2026-01-01 00:00:00+00', 'zzzzzzzzzzzzzzzzzzzzzz')
  expect(await isRefused(importing('horizon'))).toMatchObject({
    code: 'file_damaged',
    message: expect.stringContaining('horizons.before_id'),
  })
  expect(await contentsOf(second)).toEqual(empty)
})

it('each reason to refuse an import has its own error code', async () => {
  write('of another version', changed(/"migrations":\["[^"]+"/, '"migrations":["0000_older"'))
  writeFileSync(at('bomb'), gzipSync(Buffer.alloc(32 * 1024 * 1024, '[')))
  writeFileSync(at('wrong'), 'incorrect horse battery staple')
  const codeOf = async (line: string) => (await isRefused(line)).code
  expect([
    await codeOf(importing('missing')),
    await codeOf(importing('bomb')),
    await codeOf(importing('of-another-version')),
    await codeOf(importing('whole').replace(at('passphrase'), at('wrong'))),
    await codeOf(importing('wrong')),
  ]).toEqual(['file_unreadable', 'file_line_too_long', 'file_of_other_version', 'wrong_passphrase', 'file_damaged'])
  expect(await contentsOf(second)).toEqual(empty)
})

it('an import refuses a file of another version, a wrong passphrase, and a missing file', async () => {
  write('older', changed(/"migrations":\["[^"]+"/, '"migrations":["0000_older"'))
  expect(await refusedWith('older')).toMatch(/^--in: The file has different migrations/)
  const other = importing('whole').replace(at('passphrase'), at('wrong'))
  writeFileSync(at('wrong'), 'incorrect horse battery staple')
  expect((await isRefused(other)).message).toBe('--passphrase-file: The passphrase does not match the file.')
  writeFileSync(at('wrong'), 'too short')
  expect((await isRefused(other)).message).toBe('--passphrase-file: Must have 16 to 1,024 characters.')
  expect((await isRefused(importing('whole').replace(at('passphrase'), at('missing')))).message).toContain('(ENOENT)')
  expect((await isRefused(importing('missing'))).message).toBe('--in: The file does not exist.')
  expect(await contentsOf(second)).toEqual(empty)
})

it('an export refuses to overwrite a file, and a refused export leaves no file', async () => {
  await workIn(first)
  expect((await isRefused(exporting(id, 'whole', 'move'))).message).toContain('A file with this name already exists')
  expect((await isRefused(exporting(id, 'no/such/folder', 'move'))).message).toContain('cannot be written (ENOENT)')
  const [storefront] = await queried<{ held_at: unknown }>(
    first.url,
    `SELECT held_at FROM storefronts WHERE id = '${id}'`,
  )
  expect(storefront).toEqual({ held_at: null })
})

it('an export leaves no file if SECRET_KEY is wrong or an encrypted value was changed', async () => {
  await workIn({ ...first, secretKey: 'another secret than it was, long enough' })
  expect((await isPrevented(exporting(id, 'unopened'))).message).toMatch(/^SECRET_KEY is not the key/)
  const change = `UPDATE webhook_endpoints SET sealed_secret =
    set_byte(sealed_secret, 20, 255 - get_byte(sealed_secret, 20)) WHERE storefront_id = '${id}'`
  await workIn(first)
  await queried(first.url, change)
  expect((await isRefused(exporting(id, 'unopened'))).message).toMatch(
    /^--storefront: The encrypted value at .* was changed/,
  )
  await queried(first.url, change)
  await workIn(second)
  expect((await isRefused(importing('unopened'))).message).toBe('--in: The file does not exist.')
  expect((await isRefused(importing('unopened.part'))).message).toBe('--in: The file does not exist.')
})

it('an import leaves no rows if the process is killed at any query, and the next import is complete', async () => {
  const from = { in: at('whole'), passphrase: 'correct horse battery staple' }
  let n = 1
  for (; n < 4 && (await killedAt(n, 'before', () => importStorefront(from))); n++)
    expect(await contentsOf(second)).toEqual(empty)
  const isEnd = (_: unknown, text: string) => /^(?:COPY "(?:orders|tasks)"|INSERT|COMMIT)/.test(text.trim())
  for (n = 1; await killedAt(n, 'before', () => importStorefront(from), isEnd); n++)
    expect(await contentsOf(second)).toEqual(empty)
  expect(n).toBeGreaterThan(3)
  expect(await contentsOf(second)).not.toEqual(empty)
  expect(await brokenIn(second)).toEqual([])
})

it('an import refuses a storefront or a row that already exists', async () => {
  const here = await contentsOf(second)
  expect((await isRefused(importing('whole'))).message).toBe(
    `--in: The storefront ${id} already exists in this installation.`,
  )
  expect(await contentsOf(second)).toEqual(here)
  const third = await anInstallation()
  await workIn(third)
  await queried(third.url, `INSERT INTO exchange_rates VALUES ('USD', '2026-01-01', '1.1', now())`)
  await queried(
    third.url,
    `INSERT INTO merchants SELECT 'merchant_other', 'Other', now();
     INSERT INTO storefronts (id, merchant_id, name, created_at) VALUES ('storefront_other', 'merchant_other', 'Other', now())`,
  )
  const [row] = await queried<{ id: string }>(first.url, `SELECT id FROM customers WHERE storefront_id = '${id}'`)
  await queried(
    third.url,
    `INSERT INTO customers (id, storefront_id, testmode, email, created_at) VALUES ('${row?.id}', 'storefront_other', true, 'a@b.example', now())`,
  )
  const before = await contentsOf(third)
  expect((await isRefused(importing('whole'))).message).toBe(
    '--in: This installation already contains data of the file: a row of "customers" (customers_pkey).',
  )
  expect(await contentsOf(third)).toEqual(before)
})
