import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import * as config from '../platform/config.ts'
import { writeBackup } from '../platform/db/backup.ts'
import { answer, cli, isRefused } from '../testing/command-line.ts'
import { brokenIn, contentsOf, queried } from '../testing/installations.ts'
import { seedEverything } from '../testing/seed-everything.ts'
import { aCatalogue, aCheckout, aShop, buyerForm, germanVisitor, tokenOf } from '../testing/shop.ts'
import { templateName } from '../testing/template-database.ts'
import { submitCheckout } from '../workflows/sale/submit-checkout.ts'
import { chooseOutcome } from '../workflows/test-payment-page/submit-test-payment.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-backup-'))
const file = path.join(folder, 'all.backup')
const mine = config.config().databaseUrl
let others = 0
let other = ''

const use = (url: string) => vi.spyOn(config, 'config').mockReturnValue({ ...config.config(), databaseUrl: url })

beforeAll(async () => {
  const seeded = await seedEverything()
  await seeded.close()
})
beforeEach(async () => {
  vi.restoreAllMocks()
  other = Object.assign(new URL(mine), { pathname: `${new URL(mine).pathname}_${++others}` }).href
  await queried(
    process.env.TEST_DATABASE_URL ?? '',
    `CREATE DATABASE "${new URL(other).pathname.slice(1)}" TEMPLATE ${templateName}`,
  )
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  for (let n = 1; n <= others; n++)
    await queried(
      process.env.TEST_DATABASE_URL ?? '',
      `DROP DATABASE "${new URL(mine).pathname.slice(1)}_${n}" WITH (FORCE)`,
    )
})

it('a database restored from a backup contains the same rows as the original database', async () => {
  const before = await contentsOf({ url: mine })
  const taken = await answer(`backup --json --to ${file}`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await contentsOf({ url: mine })).toEqual(before)

  use(other)
  const restored = await answer(`restore --json --from ${file}`)
  expect(restored).toEqual({ ...taken, secretKey: 'ok' })
  expect(await contentsOf({ url: other })).toEqual(before)
  expect(await brokenIn({ url: other })).toEqual([])
  const filled = Object.values(before).filter((rows) => !rows.startsWith('0 ')).length
  expect(filled).toBeGreaterThan(40)
  expect(restored.tables).toBe(Object.keys(before).length)
})

it('a backup during sales is a consistent snapshot', async () => {
  const shop = await aShop()
  const { productId } = await aCatalogue(shop)
  let isOver = false
  const buying = (async () => {
    for (let sales = 0; ; sales++) {
      if (isOver) return sales
      const { token } = await aCheckout(shop, [{ id: productId }])
      const next = await submitCheckout(token, buyerForm(), germanVisitor)
      await chooseOutcome(tokenOf(next?.redirectTo ?? ''), new URLSearchParams({ outcome: 'paid' }))
    }
  })()
  const files = ['one', 'two', 'three'].map((name) => path.join(folder, name))
  // Calls `writeBackup` instead of the `backup` command, because the command would close the database connections that the sales use.
  for (const each of files) await writeBackup(each)
  isOver = true
  expect(await buying).toBeGreaterThan(0)

  use(other)
  await answer(`restore --json --from ${files[1]}`)
  expect(await brokenIn({ url: other })).toEqual([])
})

it('a restore refuses a damaged file, a file that is not a backup, and a backup of a database with different migrations', async () => {
  const empty = await contentsOf({ url: other })
  use(other)
  const bytes = readFileSync(file)
  const text = gunzipSync(bytes).toString('latin1')
  const flipped = Buffer.from(bytes)
  flipped[Math.floor(bytes.length / 2)] = (flipped[Math.floor(bytes.length / 2)] ?? 0) ^ 0xff
  const packed = (changed: string) => gzipSync(Buffer.from(changed, 'latin1'))
  const lines = text.split('\n')
  const aRow = lines.findIndex((line) => line.startsWith('{"table":"customers"')) + 1
  const bad: Record<string, Buffer> = {
    'a flipped byte': flipped,
    'its first half': bytes.subarray(0, bytes.length / 2),
    'without its last line': packed(`${lines.slice(0, -2).join('\n')}\n`),
    'without one row': packed(lines.toSpliced(aRow, 1).join('\n')),
    'a row without a column': packed(lines.toSpliced(aRow, 1, lines[aRow]?.replace(/\t[^\t]*$/, '') ?? '').join('\n')),
    'an unknown table': packed(text.replace('{"table":"customers"', '{"table":"pg_authid"')),
    'a word': packed('hello\n'),
    nothing: Buffer.alloc(0),
  }
  for (const [name, content] of Object.entries(bad)) {
    const damaged = path.join(folder, 'damaged')
    writeFileSync(damaged, content)
    const { status, stderr } = await cli(`restore --from ${damaged}`)
    expect([name, status, stderr]).toEqual([name, 1, '--from: The file is damaged, incomplete, or not a backup.\n'])
  }
  expect(await contentsOf({ url: other })).toEqual(empty)
  writeFileSync(
    path.join(folder, 'older'),
    packed(text.replace(/"migrations":\["[^"]+"/, '"migrations":["0000_older"')),
  )
  expect((await isRefused(`restore --from ${path.join(folder, 'older')}`)).message).toContain('different migrations')
  expect((await isRefused(`restore --from ${path.join(folder, 'missing')}`)).message).toContain('does not exist')
})

it.each([
  ['the same', {}, 'Run `invariants` to check the restored data.'],
  ['another', { secretKey: 'another secret than it was and long enough' }, 'SECRET_KEY is not the key'],
])('a restore with %s secret key (%j) prints: %s', async (_, key, said) => {
  vi.spyOn(config, 'config').mockReturnValue({ ...config.config(), databaseUrl: other, ...key })
  expect(await cli(`restore --from ${file}`)).toMatchObject({ status: 0, stdout: expect.stringContaining(said) })
})

it('a backup does not overwrite a file, and a restore refuses a database with rows', async () => {
  const before = [readFileSync(file), await contentsOf({ url: mine })] as const
  expect((await isRefused(`backup --to ${file}`)).message).toContain('A file with this name already exists')
  expect((await isRefused(`backup --to ${folder}/no/such/folder`)).message).toContain('cannot be written (ENOENT)')
  expect((await isRefused(`restore --from ${file}`)).message).toContain('The database is not empty')
  expect([readFileSync(file), await contentsOf({ url: mine })]).toEqual(before)
})
