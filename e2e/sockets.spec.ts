import { connect } from 'node:net'
import { expect, test } from './test.ts'

const { hostname, port } = new URL(process.env.E2E_BASE_URL ?? '')

/** Resolves with the received data when the service ends the connection or `isEnough` matches. */
const say = (bytes: string, isEnough = /^$/): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      answer += chunk
      if (isEnough.test(answer)) socket.end()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })

const upgrade = (path: string, protocol: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`

test('each request with an Upgrade header gets a normal HTTP response', async ({ page }) => {
  expect((await page.goto('/nothing'))?.status()).toBe(404)
  expect(await say(upgrade('/livez', 'h2c'), /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 /)
  const hmr = await Promise.all(
    Array.from({ length: 300 }, () => say(upgrade('/_next/webpack-hmr', 'websocket'), /\r\n\r\n/)),
  )
  expect(new Set(hmr.map((answer) => answer.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 404']))
})

test('the page for an unknown path complies with its Content-Security-Policy', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  for (const path of [
    '/nothing',
    '/checkout/%zz',
    '/checkout/abc/nothing',
    '/nothing/submitted',
    '/nothing/pdf',
    '/checkout/abc/pdf',
    '/api/nothing',
  ]) {
    const answer = await page.goto(path)
    expect(answer?.status(), path).toBe(404)
    expect(answer?.headers()).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
    })
    await expect(page.locator('h1')).toBeVisible()
  }
  expect(errors.filter((text) => !text.includes('status of 404'))).toEqual([])
})

test.describe('malformed HTTP requests get a status and security headers', () => {
  for (const [line, status] of [
    ['OPTIONS *', 404],
    ['TRACE /checkout/abc', 405],
    ['GET /invoices/%E0%A4%A/pdf', 404],
    ['POST /checkout/%ff/submit', 303],
    ['GET /v1/orders/%zz', 401],
  ] as const) {
    test(`the request ${line} gets the status ${status}`, async () => {
      const answer = await say(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*x-content-type-options: nosniff`, 'i'))
    })
  }
})
