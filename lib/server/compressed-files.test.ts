import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compressBelow } from '../../scripts/compress.mjs'
import { compressedFiles } from './compressed-files.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-static-'))
const script = 'export const a = 1\n'.repeat(500)
let server: Server
let base: string

beforeAll(async () => {
  mkdirSync(path.join(folder, 'chunks'))
  writeFileSync(path.join(folder, 'chunks/a.js'), script)
  writeFileSync(path.join(folder, 'b.txt'), 'plain')
  await compressBelow(folder)
  const answer = compressedFiles(folder, '/_next/static/')
  server = createServer((message, response) => {
    if (!answer(message, response)) response.writeHead(418).end('somebody else')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const get = (address: string, encoding: string, method = 'GET') =>
  fetch(base + address, { method, headers: { 'accept-encoding': encoding } })

describe('files compressed by the build', () => {
  it('a compressed file is sent completely, with brotli encoding and a permanent cache lifetime', async () => {
    const response = await get('/_next/static/chunks/a.js?v=1', 'gzip, deflate, br')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'application/javascript; charset=UTF-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect(Number(response.headers.get('content-length'))).toBeLessThan(script.length / 10)
    expect(await response.text()).toBe(script)
  })

  it.each([
    ['a client that takes no brotli', '/_next/static/chunks/a.js', 'gzip'],
    ['a client that refuses brotli with q=0', '/_next/static/chunks/a.js', 'gzip, br;q=0'],
    ['a client that refuses brotli with q=0.000', '/_next/static/chunks/a.js', 'br;q=0.000, gzip'],
    ['a file of another kind', '/_next/static/b.txt', 'br'],
    ['a path that leads outside the folder', '/_next/static/../../package.json', 'br'],
    ['a missing file', '/_next/static/chunks/c.js', 'br'],
  ])('the handler of compressed files leaves %s to the next handler', async (_, address, encoding) => {
    expect((await get(address, encoding)).status).toBe(418)
  })

  it('the response to HEAD for a compressed file has no body', async () => {
    const response = await get('/_next/static/chunks/a.js', 'br;q=0.5', 'HEAD')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })
})
