import pg from 'pg'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { aShop, type Shop } from '../../testing/shop.ts'
import { claimKey, fingerprint, releaseKey } from './idempotency.ts'

let shop: Shop
beforeAll(async () => {
  shop = await aShop()
})
afterEach(() => vi.restoreAllMocks())

const claimFor = (key: string, body: string) => {
  const place = { tenant: shop.scope, method: 'POST', route: '/v1/customers', key }
  return claimKey({ ...place, fingerprint: fingerprint('POST', '/v1/customers', Buffer.from(body)) })
}

async function failedRelease(key: string): Promise<void> {
  const claim = await claimFor(key, 'first')
  if (!('claim' in claim)) throw new Error('the key is not claimed')
  const away = new Error('timeout exceeded when trying to connect')
  vi.spyOn(pg.Pool.prototype, 'connect').mockRejectedValue(away)
  vi.spyOn(pg.Pool.prototype, 'query').mockRejectedValue(away)
  await expect(releaseKey(claim)).rejects.toThrow('timeout')
  vi.restoreAllMocks()
}

it.each(['first', 'corrected'])(
  'if an idempotency key cannot be released after a failed request, the next request can use the key with the %s body',
  async (body) => {
    await failedRelease(`left by ${body}`)
    expect(await claimFor(`left by ${body}`, body)).toMatchObject({ claim: expect.any(String) })
  },
)
