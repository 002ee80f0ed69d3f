import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
const routes = await Promise.all(
  files
    .filter((file) => path.basename(file) === 'route.ts')
    .map(async (file) => ({ file, handlers: (await import(path.join(import.meta.dirname, file))) as Handlers })),
)

type Handlers = Readonly<Record<string, Handler>>

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

// Admin routes act for the session in the cookie, so each route must refuse a form from another origin before it reads the database.
it.each(routes.flatMap(({ file, handlers: { POST } }) => (POST ? [[file, POST] as const] : [])))(
  'the route %s refuses a form without an Origin header and a form from another site',
  async (_file, POST) => {
    for (const headers of refused) {
      const body = new URLSearchParams({ intent: 'x' })
      const request = new Request(`${own}/admin`, { method: 'POST', body, headers })
      const { status } = await POST(request, { params: Promise.resolve({}) })
      expect([JSON.stringify(headers), status]).toEqual([JSON.stringify(headers), 403])
    }
  },
)

it('every route of the admin area except the email preview accepts POST, and no route accepts PUT, PATCH, or DELETE', () => {
  const methods = routes.flatMap(({ file, handlers }) =>
    Object.keys(handlers)
      .filter((name) => /^[A-Z]+$/.test(name))
      .map((name) => ({ file, name })),
  )
  expect(methods.filter(({ name }) => !['GET', 'HEAD', 'POST'].includes(name))).toEqual([])
  const posting = new Set(methods.filter(({ name }) => name === 'POST').map(({ file }) => file))
  expect(routes.map(({ file }) => file).filter((file) => !posting.has(file))).toEqual([
    '(signed-in)/[mode]/[storefrontId]/emails/kinds/[kind]/html/route.ts',
  ])
  expect(posting.size).toBeGreaterThan(25)
})
