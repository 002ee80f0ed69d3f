import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { register } from '../modules/webhooks/operations.ts'
import { isSealedNow } from '../platform/crypto/sealed.ts'
import { db } from '../platform/db/db.ts'
import { configure } from '../testing/configure.ts'
import { aReceiver } from '../testing/receiver.ts'
import { aShop } from '../testing/shop.ts'
import { doctor } from './doctor.ts'
import { acceptSecretKey, proveSecretKey, secretKeyProblem } from './secret-key.ts'

const former = 'the secret that was here before and is long enough'
const other = 'another secret than it was and long enough'
const sentence =
  /^SECRET_KEY is not the one that this database was sealed with\. .* SECRET_KEY_PREVIOUS\. If it is lost: .*$/
const use = (secret: string, previous?: string) => configure({ SECRET_KEY: secret, SECRET_KEY_PREVIOUS: previous })
const proofs = () => db().key_proofs.findMany()

beforeEach(async () => {
  use(former)
  await db().key_proofs.deleteMany()
})

describe('a process', () => {
  it('leaves a proof of its key, and others with that key start; one with another key does not', async () => {
    await Promise.all([proveSecretKey(), proveSecretKey(), proveSecretKey()])
    const left = await proofs()
    expect(left).toHaveLength(1)
    await proveSecretKey()
    use(other)
    await expect(proveSecretKey()).rejects.toThrow(sentence)
    await expect(proveSecretKey()).rejects.toMatchObject({ name: 'UserFacingError' })
    expect(await proofs()).toEqual(left)
  })

  it('with a new key and the former one encrypts the proof again, so that the former one can go', async () => {
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

  it('on a database that something was sealed in, but no proof yet, must open that', async () => {
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

it('is accepted where the former one is lost, and changes nothing where it is the right one', async () => {
  await proveSecretKey()
  expect(await acceptSecretKey()).toEqual({ accepted: false })
  use(other)
  expect(await acceptSecretKey()).toEqual({ accepted: true })
  await proveSecretKey()
  use(former)
  await expect(proveSecretKey()).rejects.toThrow(sentence)
})

describe('what an operator reads', () => {
  it('names the key, in doctor as at the start', async () => {
    const line = async () => (await doctor()).find(({ check }) => check === 'secretKey')
    await proveSecretKey()
    expect(await secretKeyProblem()).toBeNull()
    expect(await line()).toMatchObject({ state: 'ok' })
    use(other)
    expect(await secretKeyProblem()).toMatch(sentence)
    expect(await line()).toMatchObject({ state: 'missing', message: expect.stringMatching(sentence) })
  })

  it('names the file, where the key was made for who set none', async () => {
    await proveSecretKey()
    const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-secret-key-'))
    writeFileSync(path.join(folder, 'secret-key'), `${other}\n`)
    vi.stubEnv('BILLHOOK_DATA', folder)
    use(other)
    expect(await secretKeyProblem()).toContain(`The secret key in ${folder}/secret-key is not the one`)
    use('a third secret that somebody has set by hand')
    expect(await secretKeyProblem()).toMatch(sentence)
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  it('is the same of a proof that was changed', async () => {
    await proveSecretKey()
    await db().$executeRaw`UPDATE key_proofs SET sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)`
    await expect(proveSecretKey()).rejects.toThrow(sentence)
  })
})
