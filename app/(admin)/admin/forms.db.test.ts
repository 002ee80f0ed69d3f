import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
const routes = files.filter((file) => path.basename(file) === 'route.ts')

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>

const own = 'http://localhost:3000'
const refused: readonly Record<string, string>[] = [
  {},
  { 'sec-fetch-site': 'same-origin' },
  { origin: 'https://evil.example' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  { origin: own, 'sec-fetch-site': 'cross-site' },
  { origin: own, 'sec-fetch-site': 'same-site' },
  { origin: own, 'sec-fetch-site': 'none' },
  { origin: 'null' },
]

// An admin route trusts the session cookie, so the route must refuse a form from another origin before it reads the database.
it.each(routes)('the route %s refuses a form without an Origin header and a form from another site', async (file) => {
  const { POST, GET } = (await import(path.join(import.meta.dirname, file))) as { POST?: Handler; GET?: Handler }
  if (!POST) {
    // Only the email preview has no POST handler, because it changes nothing.
    expect(file).toMatch(/\/html\/route\.ts$/)
    expect(GET).toBeDefined()
  }
  for (const headers of POST ? refused : []) {
    const request = new Request(`${own}/admin`, { method: 'POST', body: new URLSearchParams({ intent: 'x' }), headers })
    const { status } = await (POST as Handler)(request, { params: Promise.resolve({}) })
    expect([JSON.stringify(headers), status]).toEqual([JSON.stringify(headers), 403])
  }
})

it('the test of forms from other sites covers more than 25 routes of the admin area', () => {
  expect(routes.length).toBeGreaterThan(25)
})
