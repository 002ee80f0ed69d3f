import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { suppress } from '../modules/emails/suppressions.ts'
import { changeAccount } from '../modules/payouts/accounts.ts'
import { exportPayouts } from '../modules/payouts/export.ts'
import { requestPayout } from '../modules/payouts/operations.ts'
import { register } from '../modules/webhooks/operations.ts'
import { isSealedNow } from '../platform/crypto/sealed.ts'
import { db } from '../platform/db/db.ts'
import { configure } from '../testing/configure.ts'
import { aSale } from '../testing/money-back.ts'
import { aReceiver } from '../testing/receiver.ts'
import { advanceWithoutTasks } from '../testing/scenarios.ts'
import { aShop } from '../testing/shop.ts'
import { aPurchase, declare } from '../testing/withdrawal.ts'
import { doctor } from './doctor.ts'
import { acceptSecretKey, proveSecretKey, secretKeyProblem, unreadableKinds } from './secret-key.ts'

const former = 'the secret that was here before and is long enough'
const other = 'another secret than it was and long enough'
const sentence =
  /^SECRET_KEY is not the key that encrypted this database\. .* SECRET_KEY_PREVIOUS\. If the former key is lost, .*$/
const use = (secret: string, previous?: string) => configure({ SECRET_KEY: secret, SECRET_KEY_PREVIOUS: previous })
const proofs = () => db().key_proofs.findMany()

beforeEach(async () => {
  use(former)
  await db().key_proofs.deleteMany()
})

describe('the stored proof of SECRET_KEY', () => {
  it('the first process stores a proof of SECRET_KEY, and a process with another key refuses to start', async () => {
    await Promise.all([proveSecretKey(), proveSecretKey(), proveSecretKey()])
    const left = await proofs()
    expect(left).toHaveLength(1)
    await proveSecretKey()
    use(other)
    await expect(proveSecretKey()).rejects.toThrow(sentence)
    await expect(proveSecretKey()).rejects.toMatchObject({ name: 'UserFacingError' })
    expect(await proofs()).toEqual(left)
  })

  it('a process with a new key and the former key encrypts the stored proof of SECRET_KEY with the new key', async () => {
    await proveSecretKey()
    use(other, former)
    await Promise.all([proveSecretKey(), proveSecretKey()])
    const [proof, ...more] = await proofs()
    expect([proof && isSealedNow(proof.sealed), more]).toEqual([true, []])
    use(other)
    await proveSecretKey()
    use(former)
    await expect(proveSecretKey()).rejects.toThrow(sentence)
  })

  it('if no proof of SECRET_KEY is stored, SECRET_KEY must decrypt the existing values', async () => {
    const receiver = await aReceiver()
    const shop = await aShop()
    await register(shop.scope, { url: receiver.url, secret: 'whsec_0123456789' })
    await receiver.close()
    use(other)
    await expect(proveSecretKey()).rejects.toThrow(sentence)
    expect(await proofs()).toEqual([])
    use(other, former)
    await proveSecretKey()
    expect(await proofs()).toHaveLength(1)
  })
})

it('the command `secret-key accept` accepts a new key after the old key is lost, and changes nothing if the key is already in use', async () => {
  await proveSecretKey()
  expect(await acceptSecretKey()).toEqual({ accepted: false })
  use(other)
  expect(await acceptSecretKey()).toEqual({ accepted: true })
  await proveSecretKey()
  use(former)
  await expect(proveSecretKey()).rejects.toThrow(sentence)
})

describe('the error about a wrong secret key', () => {
  it('doctor and a starting process report the same error about a wrong SECRET_KEY', async () => {
    const line = async () => (await doctor()).find(({ check }) => check === 'secretKey')
    await proveSecretKey()
    expect(await secretKeyProblem()).toBeNull()
    expect(await line()).toMatchObject({ state: 'ok' })
    use(other)
    expect(await secretKeyProblem()).toMatch(sentence)
    expect(await line()).toMatchObject({ state: 'missing', message: expect.stringMatching(sentence) })
  })

  it('doctor names the groups of values that only a key missing from SECRET_KEY_PREVIOUS can decrypt', async () => {
    const line = async () => (await doctor()).find(({ check }) => check === 'secretKey')
    const receiver = await aReceiver()
    const shop = await aShop()
    await register(shop.scope, { url: receiver.url, secret: 'whsec_0123456789' })
    await receiver.close()
    await proveSecretKey()
    use(other, former)
    await proveSecretKey()
    expect(await line()).toMatchObject({ state: 'ok' })
    use(other)
    expect(await line()).toMatchObject({
      state: 'look',
      message: 'Cannot decrypt: secrets of webhook endpoints. Add the key that encrypted them to SECRET_KEY_PREVIOUS.',
    })
  })

  it('doctor names withdrawals, suppressed addresses, and payout files that no key decrypts, and skips empty payout files', async () => {
    const { tenant, shop } = await aSale({ price: '100.00' })
    await changeAccount(tenant, { holder: 'Lumen Software B.V.', iban: 'NL91ABNA0417164300' })
    await advanceWithoutTasks({ shop }, { days: 3 })
    await requestPayout(tenant, { amount: '50.00' })
    await exportPayouts(shop.scope)
    const notice = { address: 'ada@example.com', cause: 'bounce', reason: null, at: new Date() } as const
    await db().$transaction((sql) => suppress(sql, shop.scope, notice))
    await declare((await aPurchase()).token)
    expect(await unreadableKinds()).toEqual([])
    use(other)
    const named = await unreadableKinds()
    expect(named).toEqual(
      expect.arrayContaining(['payout files', 'declarations of withdrawal', 'suppressed addresses']),
    )
    await db().payout_batches.updateMany({ data: { sealed: new Uint8Array() } })
    expect(await unreadableKinds()).toEqual(named.filter((kind) => kind !== 'payout files'))
  })

  it('the error about a wrong SECRET_KEY names the key file if the service generated the key', async () => {
    await proveSecretKey()
    const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-secret-key-'))
    writeFileSync(path.join(folder, 'secret-key'), `${other}\n`)
    vi.stubEnv('BILLHOOK_DATA', folder)
    use(other)
    expect(await secretKeyProblem()).toContain(`The secret key in ${folder}/secret-key is not the key that encrypted`)
    use('a third secret that somebody has set by hand')
    expect(await secretKeyProblem()).toMatch(sentence)
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  it('a modified proof of SECRET_KEY causes the same error as a wrong SECRET_KEY', async () => {
    await proveSecretKey()
    await db().$executeRaw`UPDATE key_proofs SET sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)`
    await expect(proveSecretKey()).rejects.toThrow(sentence)
  })
})
