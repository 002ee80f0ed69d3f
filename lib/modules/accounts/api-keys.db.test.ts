import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { authenticate } from '../../platform/http/authentication.ts'
import { writeUses } from '../../platform/http/key-use.ts'
import { barrier } from '../../testing/barrier.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { auditLog } from '../audit/operations.ts'
import { createKey, createMerchant, createStorefront, listKeys, renameKey, revokeKey, rotateKey } from './operations.ts'

let shop: Shop
const asks = (key: string) => authenticate(`Bearer ${key}`)
const keyIds = async () => (await listKeys(shop.storefrontId)).map(({ id }) => id)
const later = (ms: number) => vi.setSystemTime(Date.now() + ms)
const aKey = (more: { testmode?: boolean; expiresInMs?: number; name?: string } = {}) =>
  createKey({ storefrontId: shop.storefrontId, testmode: true, scope: 'full', ...more })

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  shop = await aShop()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('API keys', () => {
  it('an API key is stored with its storefront and mode, and without its plain text', async () => {
    expect(shop.testKey).toMatch(/^test_[0-9A-Za-z]{40}$/)
    expect(shop.liveKey).toMatch(/^live_[0-9A-Za-z]{40}$/)
    expect(await asks(shop.testKey)).toMatchObject({ storefrontId: shop.storefrontId, testmode: true })
    expect(await asks(shop.liveKey)).toMatchObject({ storefrontId: shop.storefrontId, testmode: false })
    const rows = await db().$queryRaw<
      { row: string }[]
    >`SELECT api_keys::text || encode(hash, 'escape') AS row FROM api_keys`
    for (const key of [shop.testKey, shop.liveKey]) expect(JSON.stringify(rows)).not.toContain(key.slice(8))
    expect((await listKeys(shop.storefrontId)).map(({ hint }) => hint)).toEqual([
      shop.liveKey.slice(0, 8),
      shop.testKey.slice(0, 8),
    ])
  })

  it.each([
    null,
    '',
    'Bearer',
    'Bearer ',
    'Basic dGVzdDp0ZXN0',
    `Bearer test_${'0'.repeat(40)}`,
    `Bearer test_${'0'.repeat(39)}`,
    `Bearer prod_${'0'.repeat(40)}`,
    `Bearer test_${"' OR 1=1 --".padEnd(40, '0')}`,
  ])('the authorization header %j is refused', async (header) => {
    expect(await authenticate(header)).toBeNull()
  })

  it('the authorization scheme may have any letter case and extra blanks, but the key must be exact', async () => {
    expect(await authenticate(`bearer  ${shop.testKey} `)).not.toBeNull()
    expect(await authenticate(`Bearer ${shop.testKey}0`)).toBeNull()
    expect(await authenticate(`Bearer ${shop.testKey.replace('test_', 'live_')}`)).toBeNull()
    expect(await authenticate(`Bearer ${shop.testKey.toUpperCase()}`)).toBeNull()
  })

  it('an API key is refused one second after it is revoked, and cannot be revoked again', async () => {
    const { key, keyId } = await aKey()
    expect(await asks(key)).not.toBeNull()
    await revokeKey({ keyId })
    later(1_001)
    expect(await asks(key)).toBeNull()
    await expect(revokeKey({ keyId })).rejects.toMatchObject({ code: 'key_revoked' })
    await expect(revokeKey({ keyId: 'key_none' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('an API key is refused at and after its expiry time', async () => {
    const { key } = await aKey({ expiresInMs: 500 })
    expect(await asks(key)).not.toBeNull()
    later(499)
    expect(await asks(key)).not.toBeNull()
    later(1)
    expect(await asks(key)).toBeNull()
  })

  describe('last use', () => {
    const minutes = 60_000
    const lastUse = async () =>
      (await listKeys(shop.storefrontId)).find(({ hint }) => hint === shop.testKey.slice(0, 8))?.lastUsedAt?.getTime()

    it('a request does not wait until the last use of its API key is written', async () => {
      const first = Date.now()
      await Promise.all([asks(shop.testKey), asks(shop.testKey)])
      expect(await lastUse()).toBeUndefined()
      await writeUses()
      expect(await lastUse()).toBe(first)
    })

    it('the last use of an API key is written at most once in ten minutes', async () => {
      const first = Date.now()
      const written = new Set<number | undefined>()
      for (let passed = 0; passed <= 20 * minutes; passed += minutes) {
        await asks(shop.testKey)
        await writeUses()
        written.add(await lastUse())
        later(minutes)
      }
      expect([...written]).toEqual([first, first + 10 * minutes, first + 20 * minutes])
    })

    it('writing the last uses of API keys skips a key that another transaction has locked', async () => {
      const { key, keyId } = await aKey()
      await asks(key)
      await asks(shop.testKey)
      await db().$transaction(async (sql) => {
        await sql.$queryRaw`SELECT 1 FROM api_keys WHERE id = ${keyId} FOR UPDATE`
        await writeUses(db())
      })
      const used = (await listKeys(shop.storefrontId)).filter(({ lastUsedAt }) => lastUsedAt !== null)
      expect(used.map(({ hint }) => hint)).toEqual([shop.testKey.slice(0, 8)])
    })
  })
})

describe('names of API keys', () => {
  const nameOf = async (keyId: string) => (await listKeys(shop.storefrontId)).find(({ id }) => id === keyId)?.name

  it('the name of an API key is optional, and a rotation copies the name to the new key', async () => {
    const unnamed = await aKey()
    const { keyId } = await aKey({ name: ' Shop backend ' })
    expect([await nameOf(unnamed.keyId), await nameOf(keyId)]).toEqual([null, 'Shop backend'])
    const next = await rotateKey({ keyId })
    expect([await nameOf(next.keyId), next.name]).toEqual(['Shop backend', 'Shop backend'])
    expect(JSON.stringify((await auditLog(null, 10)).map(({ after }) => after))).not.toContain('Shop backend')
  })

  it('renaming an API key writes an audit entry without the name', async () => {
    const { keyId } = await aKey({ name: 'Old' })
    await renameKey({ keyId }, 'New')
    expect(await nameOf(keyId)).toBe('New')
    await revokeKey({ keyId })
    await renameKey({ keyId }, '')
    expect(await nameOf(keyId)).toBeNull()
    const entries = (await auditLog(null, 10)).filter(
      ({ action, subject }) => action === 'key.rename' && subject === keyId,
    )
    expect(entries.map(({ after }) => after)).toEqual([null, null])
  })

  it('renaming an API key is refused for a long name and for a key of another storefront', async () => {
    const { keyId } = await aKey({ name: 'Old' })
    const other = await aShop()
    await expect(renameKey({ keyId }, 'x'.repeat(61))).rejects.toMatchObject({ on: { name: [expect.any(String)] } })
    await expect(aKey({ name: 'x'.repeat(61) })).rejects.toMatchObject({ on: { name: [expect.any(String)] } })
    await expect(renameKey({ keyId, of: other.scope }, 'New')).rejects.toMatchObject({ code: 'not_found' })
    await expect(renameKey({ keyId: 'key_none' }, 'New')).rejects.toMatchObject({ code: 'not_found' })
    expect(await nameOf(keyId)).toBe('Old')
  })
})

describe('rotation', () => {
  const day = 24 * 3_600_000

  it('after a rotation, the old API key is valid for one day', async () => {
    const old = await aKey()
    const next = await rotateKey({ keyId: old.keyId })
    expect(next.oldKeyExpiresAt).toEqual(new Date(Date.now() + day))
    expect((await listKeys(shop.storefrontId)).find(({ id }) => id === old.keyId)?.expiresAt).toEqual(
      next.oldKeyExpiresAt,
    )
    later(day - 1)
    expect([await asks(old.key), await asks(next.key)]).toMatchObject([
      { keyId: old.keyId },
      { keyId: next.keyId, testmode: true },
    ])
    later(1)
    expect([await asks(old.key), await asks(next.key)]).toMatchObject([null, { keyId: next.keyId }])
    await expect(rotateKey({ keyId: old.keyId })).rejects.toMatchObject({ code: 'key_revoked' })
  })

  it('after a rotation, the old API key is valid for the chosen overlap, which may be zero', async () => {
    const old = await aKey()
    const next = await rotateKey({ keyId: old.keyId }, 10_000)
    later(10_000)
    expect([await asks(old.key), await asks(next.key)]).toMatchObject([null, { keyId: next.keyId }])
    const last = await rotateKey({ keyId: next.keyId }, 0)
    later(1_001)
    expect([await asks(next.key), await asks(last.key)]).toMatchObject([null, { keyId: last.keyId }])
    await expect(rotateKey({ keyId: next.keyId })).rejects.toMatchObject({ code: 'key_revoked' })
  })

  it('a rotation does not postpone the expiry of the old API key', async () => {
    const [soon, late] = [await aKey({ expiresInMs: 5_000 }), await aKey({ expiresInMs: 2 * day })]
    expect((await rotateKey({ keyId: soon.keyId })).oldKeyExpiresAt).toEqual(new Date(Date.now() + 5_000))
    expect((await rotateKey({ keyId: late.keyId })).oldKeyExpiresAt).toEqual(new Date(Date.now() + day))
    later(5_000)
    expect([await asks(soon.key), await asks(late.key)]).toMatchObject([null, { keyId: late.keyId }])
  })

  it('an API key that is still valid after a rotation can be rotated again', async () => {
    const old = await aKey()
    const [first, second] = [await rotateKey({ keyId: old.keyId }), await rotateKey({ keyId: old.keyId }, 0)]
    later(1_001)
    expect([await asks(old.key), await asks(first.key), await asks(second.key)]).toMatchObject([
      null,
      { keyId: first.keyId },
      { keyId: second.keyId },
    ])
  })

  it('two concurrent rotations of one API key issue exactly one new key', async () => {
    const { keyId } = await aKey()
    const before = (await keyIds()).length
    const together = barrier(2)
    const rotate = async () => {
      await together()
      return rotateKey({ keyId }, 0)
    }
    const results = await Promise.allSettled([rotate(), rotate()])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await keyIds()).length).toBe(before + 1)
  })
})

describe('merchants and storefronts', () => {
  it('a merchant name has 1 to 255 characters', async () => {
    for (const name of ['', '   ', '\u200b', '\u3164\u00a0', 'a'.repeat(256), 'a\u0000b']) {
      await expect(createMerchant({ name })).rejects.toMatchObject({
        code: 'validation_failed',
        on: { name: [expect.any(String)] },
      })
    }
    expect(await createMerchant({ name: 'Ä'.repeat(255) })).toEqual({ merchantId: expect.stringMatching(/^merchant_/) })
  })

  it('creating a merchant or a storefront with its API keys writes an audit entry without secrets', async () => {
    const { merchantId } = await createMerchant({ name: 'Lumen' })
    const { storefrontId, testKey, liveKey } = await createStorefront({ merchantId, name: 'Lumen' })
    const [storefront, merchant] = await auditLog(null, 2)
    const actor = { kind: 'cli', address: null }
    expect(merchant).toMatchObject({ actor, action: 'merchant.create', subject: merchantId })
    const keyIds = (await listKeys(storefrontId)).map(({ id }) => id).reverse()
    expect(storefront).toMatchObject({
      actor,
      action: 'storefront.create',
      subject: storefrontId,
      after: { merchantId, keyIds },
    })
    for (const key of [testKey, liveKey]) expect(JSON.stringify(storefront?.after)).not.toContain(key.slice(5))
  })

  it('a storefront needs an existing merchant, and an API key needs an existing storefront', async () => {
    const counts = async () => [await db().storefronts.count(), await db().audit_entries.count()]
    const before = await counts()
    await expect(createStorefront({ merchantId: 'merchant_none', name: 'A' })).rejects.toMatchObject({
      on: { merchant: [expect.any(String)] },
    })
    await expect(createKey({ storefrontId: 'storefront_none', testmode: true, scope: 'full' })).rejects.toMatchObject({
      on: { storefront: [expect.any(String)] },
    })
    await expect(listKeys('storefront_none')).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await counts()).toEqual(before)
  })
})
