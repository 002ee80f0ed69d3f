import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { sendWithoutScripts, withoutScripts } from './static-pages.ts'

const page = (html: string) =>
  `<!DOCTYPE html><html ${html} lang="de"><head><link rel="stylesheet" href="/a.css"/><link rel="preload" as="script" href="/a.js"/>` +
  '<script src="/a.js" async=""></script></head><body><p>Bezahlt &lt;script&gt;</p><script>push("\\u003c/script>")</script>' +
  `<script data-kept="" nonce="n">local()</script>${' '.repeat(1000)}</body></html>`

describe('a page', () => {
  it('that is static has the scripts alone that it keeps', () => {
    const sent = withoutScripts(page('data-static=""'))
    expect(sent).not.toMatch(/a\.js|push/)
    expect(sent).toContain('<script data-kept="" nonce="n">local()</script>')
    expect(sent).toContain('<link rel="stylesheet" href="/a.css"/>')
    expect(sent).toContain('<p>Bezahlt &lt;script&gt;</p>')
  })

  it('that is live stays as it is, whatever its text says', () => {
    const live = page('').replace('Bezahlt', 'data-static')
    expect(withoutScripts(live)).toBe(live)
  })
})

describe('the answer', () => {
  const servers: ReturnType<typeof createServer>[] = []
  afterAll(() => servers.forEach((each) => void each.close()))

  async function ask(answer: (response: ServerResponse) => void, acceptEncoding: string, method = 'GET') {
    const server = createServer((message, response) => {
      sendWithoutScripts(message, response)
      answer(response)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { request } = await import('node:http')
    const { port } = server.address() as AddressInfo
    return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const asked = request({ port, method, headers: { 'accept-encoding': acceptEncoding } }, async (reply) => {
        const parts: Buffer[] = []
        for await (const part of reply) parts.push(part)
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(parts) })
      })
      asked.on('error', reject).end()
    })
  }

  const inParts = (response: ServerResponse) => {
    const html = page('data-static=""')
    response.writeHead(410, { 'content-type': 'text/html; charset=utf-8', 'content-length': String(html.length) })
    response.flushHeaders()
    response.write(html.slice(0, 100), () => response.end(Buffer.from(html.slice(100))))
  }

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
  ])('to %s is coded so, whole and with its status', async (accepted, coding, decode) => {
    const { status, headers, body } = await ask(inParts, accepted)
    expect([status, headers['content-encoding'], headers.vary]).toEqual([410, coding, 'Accept-Encoding'])
    expect(headers['content-length']).toBe(String(body.length))
    expect(decode(body).toString()).toBe(withoutScripts(page('data-static=""')))
  })

  it('that is no text is left alone, and so is a redirect and an answer to HEAD', async () => {
    const bytes = Buffer.from([0, 1, 255])
    const image = await ask((response) => response.setHeader('content-type', 'image/png').end(bytes), 'br')
    expect([image.headers['content-encoding'], image.body]).toEqual([undefined, bytes])
    const redirect = await ask((response) => response.writeHead(303, { location: '/a' }).end(), 'br')
    expect([redirect.status, redirect.headers.location]).toEqual([303, '/a'])
    expect((await ask(inParts, 'br', 'HEAD')).status).toBe(410)
  })
})
