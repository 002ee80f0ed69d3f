import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { jsonDocument } from './document.ts'

const content = { paths: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`/v1/things/${n}`, {}])) }
const make = vi.fn(() => content)
const document = jsonDocument(make)
const ask = async (headers: Record<string, string> = {}) => {
  const response = await document(new Request('http://a.example', { headers }), new Headers({ 'Request-Id': 'r' }))
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('public documents', () => {
  it('concurrent requests for a public document build the document only once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(make).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['identity', null, (bytes: Buffer) => bytes],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const)('a client that accepts %s gets a public document as %s', async (takes, coding, plain) => {
    const { response, bytes } = await ask({ 'accept-encoding': takes })
    expect(response.headers.get('content-encoding')).toBe(coding)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
      'request-id': 'r',
    })
    expect(JSON.parse(plain(bytes).toString())).toEqual(content)
    if (coding) expect(bytes.length).toBeLessThan(JSON.stringify(content).length / 3)
  })

  it('a request with the current ETag of a public document gets 304', async () => {
    const etag = (await ask()).response.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const has of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
      const { response, bytes } = await ask({ 'if-none-match': has, 'accept-encoding': 'br' })
      expect([response.status, bytes.length, response.headers.get('etag')]).toEqual([304, 0, etag])
      expect(response.headers.get('content-encoding')).toBeNull()
    }
    expect((await ask({ 'if-none-match': 'W/"other"' })).response.status).toBe(200)
  })
})
