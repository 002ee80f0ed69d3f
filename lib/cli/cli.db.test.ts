import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { db } from '../platform/db/db.ts'
import * as here from '../testing/command-line.ts'
import { hold } from '../workflows/transfer/hold.ts'

const data = mkdtempSync(path.join(os.tmpdir(), 'billhook-cli-'))
afterAll(() => rmSync(data, { recursive: true }))

/**
 * Runs the command line in a new process, which takes a hundred times as long as `testing/command-line.ts`. Only tests of argument splitting, streams, and exit
 * codes need a new process.
 */
const cli = (line: string, ...more: string[]) => cliWith({}, line, ...more)

function cliWith(variables: Readonly<Record<string, string>>, line: string, ...more: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/cli.mjs', ...line.split(' '), ...more], {
    encoding: 'utf8',
    env: { ...process.env, BILLHOOK_DATA: data, ...variables },
  })
  return { status, stdout, stderr }
}

function answer(line: string, ...more: string[]) {
  const { status, stdout, stderr } = cli(line, ...more)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('the command line', () => {
  let storefront: { storefrontId: string; testKey: string; liveKey: string }
  beforeAll(async () => {
    const { merchantId } = answer('merchant create --json --name', 'Demo Merchant')
    storefront = await here.answer(`storefront create --merchant ${merchantId} --name Shop`)
  })

  it('`storefront create` prints an API key for each mode', () => {
    expect(storefront).toEqual({
      storefrontId: expect.stringMatching(/^storefront_/),
      testKey: expect.stringMatching(/^test_[A-Za-z0-9]{40}$/),
      liveKey: expect.stringMatching(/^live_[A-Za-z0-9]{40}$/),
    })
  })

  it('the `key` commands create, list, rename, rotate, and revoke API keys, and show each secret once', async () => {
    const created = await here.answer(`key create --storefront ${storefront.storefrontId} --mode test --expires-in 30d`)
    const narrow = await here.answer(
      `key create --storefront ${storefront.storefrontId} --mode live --scope no_refunds --name Shop`,
    )
    expect(await here.answer(`key rotate --key ${narrow.keyId}`)).toMatchObject({ scope: 'no_refunds', name: 'Shop' })
    expect(await here.answer(`key rename --json --key ${narrow.keyId} --name Reports`)).toEqual({
      keyId: narrow.keyId,
      name: 'Reports',
    })
    expect(created).toEqual({
      keyId: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^test_/),
      scope: 'full',
      name: null,
    })
    const rotated = await here.answer(`key rotate --key ${created.keyId}`)
    expect(rotated.key).not.toBe(created.key)
    expect(Date.parse(rotated.oldKeyExpiresAt) - Date.now()).toBeGreaterThan(23 * 3_600_000)
    const again = await here.answer(`key rotate --key ${created.keyId} --expire-old-in 0s`)
    expect(Date.parse(again.oldKeyExpiresAt)).toBeLessThanOrEqual(Date.now())
    expect((await here.cli(`key rotate --key ${created.keyId}`)).stderr).toBe(
      'The API key is already revoked or expired.\n',
    )
    const needed = '--expire-old-in: Must be a duration such as 12h, 30d or P1M.'
    for (const bad of ['soon', '-1h', '1', '99999Y', 'P99999Y']) {
      const { message } = await here.isRefused(`key rotate --key ${rotated.keyId} --expire-old-in=${bad}`)
      expect(message).toBe(needed)
    }
    expect(await here.answer(`key revoke --json --key ${rotated.keyId}`)).toEqual({
      keyId: rotated.keyId,
      revoked: true,
    })

    const list = (await here.cli(`key list --storefront ${storefront.storefrontId} --json`)).stdout
    expect(JSON.parse(list)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ keyId: created.keyId, scope: 'full' }),
        expect.objectContaining({ keyId: rotated.keyId, scope: 'full' }),
        expect.objectContaining({ keyId: narrow.keyId, scope: 'no_refunds', name: 'Reports', lastUsedAt: null }),
      ]),
    )
    for (const key of [created.key, rotated.key, storefront.testKey]) expect(list).not.toContain(key)
  })

  it('`storefront list` prints the newest storefronts first, each with the start of its hold', async () => {
    const { merchantId } = await here.answer('merchant create --json --name Northwind')
    const { storefrontId } = await here.answer(`storefront create --merchant ${merchantId} --name Books`)
    await hold(storefrontId)
    const [newest, ...others] = await here.answer('storefront list --json')
    expect(newest).toEqual({
      storefrontId,
      name: 'Books',
      merchantId,
      merchant: 'Northwind',
      suspendedSince: null,
      onHoldSince: expect.any(String),
    })
    expect(others).toContainEqual(
      expect.objectContaining({ storefrontId: storefront.storefrontId, merchant: 'Demo Merchant', onHoldSince: null }),
    )
    expect(await here.answer('storefront list --limit 1 --json')).toEqual([newest])
  })

  it('if a password from a file is refused, the error names the flag --password-file', async () => {
    const file = path.join(data, 'password')
    writeFileSync(file, 'short')
    expect(await here.isRefused(`operator create --email op@example.com --password-file ${file}`)).toMatchObject({
      message: '--password-file: Must have 12 to 200 characters.',
    })
  })

  it('`doctor` prints a line for each missing variable that the service needs to start', () => {
    const seller = { SELLER_NAME: 'Lumen B.V.', SELLER_POSTAL_CODE: '1015 CN', SELLER_VAT_ID: 'NL000099998B57' }
    const { status, stdout, stderr } = cliWith(
      { BILLHOOK_ENV: 'production', PUBLIC_BASE_URL: 'https://pay.example.com', WEBHOOK_ALLOWED_HOSTS: '', ...seller },
      'doctor',
    )
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      'check     state    message',
      'settings  missing  SELLER_STREET must be set in production, because invoices show it.',
      'settings  missing  SELLER_CITY must be set in production, because invoices show it.',
      'others    look     Correct the settings first. The other checks need them.',
      '',
      'Missing for live sales: 2.',
      '',
    ])
  })

  it('with an unknown LOG_LEVEL, `doctor` names the variable and its values, and prints no stack trace', () => {
    expect(cliWith({ LOG_LEVEL: 'loud' }, 'doctor')).toEqual({
      status: 1,
      stdout: expect.stringContaining('LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.'),
      stderr: '',
    })
  })

  it('`operator create` adds an operator, and `operator remove` deletes the operator', async () => {
    const flags = ['--json', '--password', 'a long enough password', '--email', 'op@example.com']
    const created = await here.cliOf(['operator', 'create', ...flags])
    expect(created).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(created.stdout)).toEqual({ operatorId: expect.any(String) })
    expect(await here.cliOf(['operator', 'create', ...flags])).toMatchObject({ status: 1, stdout: '' })
    const removal = 'operator remove --email op@example.com'
    expect(await here.answer(`${removal} --json`)).toMatchObject({ endedSessions: 0 })
    expect((await here.isRefused(removal)).message).toContain('There is no operator')
  })

  it('`clock show` prints the test clock, and `clock advance` advances the clock', async () => {
    const { storefrontId } = storefront
    const { now } = await here.answer(`clock show --storefront ${storefrontId} --json`)
    const moved = await here.answer(`clock advance --storefront ${storefrontId} --by 25h --json`)
    expect(moved).toMatchObject({ ran: 0, remaining: 0 })
    expect(Date.parse(moved.now) - Date.parse(now)).toBeGreaterThanOrEqual(25 * 3_600_000)
    expect(Date.parse(moved.now) - Date.parse(now)).toBeLessThan(26 * 3_600_000)
    expect((await here.isRefused(`clock stop --storefront ${storefrontId}`)).message).toContain(
      'No advance of the test clock is running',
    )
  })

  it.each(['review list', 'event list --mode test --limit 5', 'delivery list', 'email list --mode live'])(
    'the command "%s" prints an empty list in a new storefront',
    async (line) => {
      const all = line === 'review list' ? line : `${line} --storefront ${storefront.storefrontId}`
      expect(await here.answer(`${all} --json`)).toEqual([])
      expect(await here.cli(all)).toEqual({ status: 0, stdout: '(none)\n', stderr: '' })
    },
  )

  describe('invariants', () => {
    it('the command `invariants` prints ok for each invariant and exits with code 0', async () => {
      const { status, stdout, stderr } = await here.cli('invariants')
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      const [table = '', sentence] = stdout.split('\n\n')
      const [head, ...lines] = table.split('\n')
      expect(sentence).toBe(`All ${lines.length} invariants hold.\n`)
      expect(head).toMatch(/^invariant +name +status +count +ids$/)
      for (const line of lines) expect(line).toMatch(/^(I\d+|A|W) +\S.* +ok +0 +-$/)
      const named = new Set(lines.map((line) => line.split(' ')[0]))
      expect([...named]).toEqual([...Array.from({ length: 20 }, (_, n) => `I${n + 1}`), 'W', 'A'])
    })

    it('the command `invariants` names a violated invariant and exits with code 1', async () => {
      await db().$executeRaw`INSERT INTO invoice_series VALUES ('live', 'INV-2026', 7)`
      const name = 'a series of document numbers has no gap and no duplicate'
      const { status, stdout, stderr } = await here.cli('invariants')
      expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^I5 +${name} +broken +1 +live INV-2026$`, 'm'))
      expect(stdout).toMatch(new RegExp(`\n\n1 of \\d+ invariants is broken: I5 ${name} \\(1 row\\)\\.\n$`))
      const asJson = await here.cli('invariants --json')
      expect(asJson).toMatchObject({ status: 1, stderr: '' })
      const broken = JSON.parse(asJson.stdout).filter((each: { status: string }) => each.status !== 'ok')
      expect(broken).toEqual([{ invariant: 'I5', name, status: 'broken', count: 1, ids: ['live INV-2026'] }])
      await db().$executeRaw`DELETE FROM invoice_series`
      expect((await here.cli('invariants')).status).toBe(0)
    })
  })

  it('a failed command prints one sentence, or with --json an object with a code and a message', async () => {
    const line = 'key list --storefront storefront_nothing'
    expect(cli(line)).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]+\.\n$/) })
    const { status, stdout, stderr } = await here.cli(`${line} --json`)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(JSON.parse(stderr)).toEqual({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) })
  })

  it.each([
    'key revoke --key key_nothing',
    'clock advance --storefront storefront_nothing --by 1h',
    'review approve --id subscription_plan_nothing',
    'review reject --id subscription_plan_nothing --reason no',
    'delivery resend --delivery delivery_nothing',
    'endpoint list --storefront storefront_nothing',
    'endpoint end-previous-secret --endpoint webhook_nothing',
    'email list --storefront storefront_nothing',
    'invoice versions --order order_nothing',
    'storefront create --merchant merchant_nothing --name Shop',
  ])('the command "%s" fails and prints one sentence', async (line) => {
    expect(await here.isRefused(line)).toMatchObject({ code: expect.any(String) })
  })
})
