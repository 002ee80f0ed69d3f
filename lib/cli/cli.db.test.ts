import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { db } from '../platform/db/db.ts'
import * as here from '../testing/command-line.ts'

const data = mkdtempSync(path.join(os.tmpdir(), 'billhook-cli-'))
afterAll(() => rmSync(data, { recursive: true }))

/**
 * Runs the command line as a user would, on the database of this test file. A process takes a hundred times as long as
 * `here`. So only the parts that a process adds are tested here: split options, streams, and the exit code.
 */
function cli(line: string, ...more: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/cli.mjs', ...line.split(' '), ...more], {
    encoding: 'utf8',
    env: { ...process.env, BILLHOOK_DATA: data },
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
  beforeAll(() => {
    const { merchantId } = answer('merchant create --json --name', 'Demo Merchant')
    storefront = answer(`storefront create --merchant ${merchantId} --name Shop`)
  })

  it('the command line creates a storefront with a key for each mode', () => {
    expect(storefront).toEqual({
      storefrontId: expect.stringMatching(/^storefront_/),
      testKey: expect.stringMatching(/^test_[A-Za-z0-9]{40}$/),
      liveKey: expect.stringMatching(/^live_[A-Za-z0-9]{40}$/),
    })
  })

  it('the command line creates, lists, renames, rotates, and revokes keys, and shows each secret once', async () => {
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

  it('the command line creates an operator and removes one', async () => {
    const operator = [
      'operator create --json --password',
      'a long enough password',
      '--email',
      'op@example.com',
    ] as const
    expect(answer(...operator)).toEqual({ operatorId: expect.any(String) })
    expect(cli(...operator)).toMatchObject({ status: 1, stdout: '' })
    const removal = 'operator remove --email op@example.com'
    expect(await here.answer(`${removal} --json`)).toMatchObject({ endedSessions: 0 })
    expect((await here.isRefused(removal)).message).toContain('There is no operator')
  })

  it('the command line shows the test clock and advances it', async () => {
    const { storefrontId } = storefront
    const { now } = await here.answer(`clock show --storefront ${storefrontId} --json`)
    const moved = await here.answer(`clock advance --storefront ${storefrontId} --by 25h --json`)
    expect(moved).toMatchObject({ ran: 0, remaining: 0 })
    expect(Date.parse(moved.now) - Date.parse(now)).toBeGreaterThanOrEqual(25 * 3_600_000)
    expect(Date.parse(moved.now) - Date.parse(now)).toBeLessThan(26 * 3_600_000)
    expect((await here.isRefused(`clock stop --storefront ${storefrontId}`)).message).toContain('not being advanced')
  })

  it.each(['review list', 'event list --mode test --limit 5', 'delivery list', 'email list --mode live'])(
    'the command "%s" shows an empty list in a new storefront',
    async (line) => {
      const all = line === 'review list' ? line : `${line} --storefront ${storefront.storefrontId}`
      expect(await here.answer(`${all} --json`)).toEqual([])
      expect(await here.cli(all)).toEqual({ status: 0, stdout: '(none)\n', stderr: '' })
    },
  )

  describe('invariants', () => {
    it('the invariants command lists each invariant with ok, and the exit code is 0', () => {
      const { status, stdout, stderr } = cli('invariants')
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      const [table = '', sentence] = stdout.split('\n\n')
      const [head, ...lines] = table.split('\n')
      expect(sentence).toBe(`All ${lines.length} invariants hold.\n`)
      expect(head).toMatch(/^invariant +name +status +count +ids$/)
      for (const line of lines) expect(line).toMatch(/^(I\d+|A|W) +\S.* +ok +0 +-$/)
      const named = new Set(lines.map((line) => line.split(' ')[0]))
      expect([...named]).toEqual([...Array.from({ length: 20 }, (_, n) => `I${n + 1}`), 'W', 'A'])
    })

    it('the invariants command names a violation, and the exit code is 1', async () => {
      await db().$executeRaw`INSERT INTO invoice_series VALUES ('live', 'INV-2026', 7)`
      const name = 'a series of numbers has no gap and no repetition'
      const { status, stdout, stderr } = cli('invariants')
      expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^I5 +${name} +broken +1 +live INV-2026$`, 'm'))
      expect(stdout).toMatch(new RegExp(`\n\n1 of \\d+ invariants is broken: I5 ${name} \\(1 row\\)\\.\n$`))
      const asJson = cli('invariants --json')
      expect(asJson).toMatchObject({ status: 1, stderr: '' })
      const broken = JSON.parse(asJson.stdout).filter((each: { status: string }) => each.status !== 'ok')
      expect(broken).toEqual([{ invariant: 'I5', name, status: 'broken', count: 1, ids: ['live INV-2026'] }])
      await db().$executeRaw`DELETE FROM invoice_series`
      expect((await here.cli('invariants')).status).toBe(0)
    })
  })

  it('a failing invariants command explains itself in one sentence, or as JSON with a code', () => {
    const line = 'key list --storefront storefront_nothing'
    expect(cli(line)).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]+\.\n$/) })
    const { status, stdout, stderr } = cli(`${line} --json`)
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
  ])('the command "%s" fails in one sentence', async (line) => {
    expect(await here.isRefused(line)).toMatchObject({ code: expect.any(String) })
  })
})
