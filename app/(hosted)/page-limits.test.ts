import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/platform/config.ts'
import { writeClientAddress } from '@/lib/platform/http/client-address.ts'
import { limitFile, limitPage } from './page-limits.ts'

vi.mock('@/lib/platform/config.ts', async (actual) => {
  const { readConfig } = await actual<typeof import('@/lib/platform/config.ts')>()
  const read = readConfig({ DATABASE_URL: 'postgresql://none', SECRET_KEY: 'x'.repeat(32) })
  return { config: () => read }
})

let sessions = 0
// The clock is frozen. Otherwise, the rate limit would allow additional requests while a slow test runs.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  sessions++
  Object.assign(config(), { rateLimitForms: 3, rateLimitFormsAddress: 5 })
})
afterEach(() => {
  vi.useRealTimers()
})

const from = (n = 1) => `2001:db8:${sessions}:${n}::1`
function request(
  path: string,
  { session = `s${sessions}`, address = from() }: { session?: string; address?: string } = {},
) {
  const headers = {
    'accept-language': 'de',
    ...(session && { cookie: `other=1; __Host-billhook-portal=${session}` }),
  }
  const message = { headers, socket: { remoteAddress: address } } as unknown as IncomingMessage
  writeClientAddress(message, null)
  return new Request(`http://billhook.test${path}`, { headers: message.headers as Record<string, string> })
}
async function letThrough(ask: (n: number) => Promise<Response | null>, most = 40): Promise<number> {
  for (let n = 0; n < most; n++) if (await ask(n)) return n
  return most
}

describe('pages of the portal', () => {
  it('all portal pages of a session share one rate limit', async () => {
    const paths = ['/portal', '/portal/invoices', '/portal/subscriptions/1', '/portal/email']
    expect(await letThrough((n) => limitPage(request(paths[n % 4] ?? '', { address: from(n) })))).toBe(12)
    expect(await limitPage(request('/portal', { session: 'another' }))).toBeNull()
  })

  it('portal pages have a rate limit per IP address across all sessions', async () => {
    expect(await letThrough((n) => limitPage(request('/portal', { session: `claimed${n}` })))).toBe(20)
  })

  it.each(['/portal/link', '/portal/email-change', '/withdrawal'])(
    'the pages below %s have a rate limit per link',
    async (page) => {
      expect(await letThrough((n) => limitPage(request(`${page}/token${sessions}`, { address: from(n) })))).toBe(12)
      expect(await limitPage(request(`${page}/other`))).toBeNull()
    },
  )

  it('sign-in pages of the portal have a rate limit per IP address, because their URL is the same for all customers', async () => {
    const path = `/portal/sign-in/${'a'.repeat(44)}`
    expect(await letThrough((n) => limitPage(request(path, { session: '', address: from(n) })))).toBe(40)
    expect(await letThrough(() => limitPage(request(path, { session: '' })))).toBe(11)
  })

  it('the page of a payment link has a rate limit per IP address, because all buyers use the same link', async () => {
    const ask = (n: number, code = 'a') =>
      limitPage(request(`/buy/${code.repeat(22)}`, { session: '', address: from(n) }))
    expect(await letThrough((n) => ask(n))).toBe(40)
    expect(await letThrough(() => ask(1, 'b'))).toBe(11)
  })

  it("the 429 response of a hosted page states when to retry, in the reader's language", async () => {
    await letThrough(() => limitPage(request('/portal')))
    const response = await limitPage(request('/portal'))
    expect(response?.status).toBe(429)
    expect(response?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(response?.headers.get('cache-control')).toBe('no-store')
    expect(await response?.text()).toMatch(/Sekunde/)
    vi.setSystemTime(Date.now() + 60_000)
    expect(await limitPage(request('/portal'))).toBeNull()
  })

  it('limitPage() does not limit pages such as / and /checkout/token, and does not limit /portal if the configured limit is 0', async () => {
    for (const path of ['/', '/checkout/token', '/portals', '/admin/portal', '/withdrawals/x'])
      expect(await letThrough(() => limitPage(request(path))), path).toBe(40)
    Object.assign(config(), { rateLimitForms: 0, rateLimitFormsAddress: 0 })
    expect(await letThrough(() => limitPage(request('/portal')))).toBe(40)
  })
})

describe('the invoices as a ZIP file', () => {
  it('the rate limit of the ZIP file of invoices is a third of the rate limit of forms', async () => {
    Object.assign(config(), { rateLimitForms: 30, rateLimitFormsAddress: 1200 })
    expect(await letThrough((n) => limitFile(request('/portal/invoices/zip', { address: from(n) })))).toBe(10)
    expect(await limitPage(request('/portal/invoices'))).toBeNull()
  })

  it('if the rate limit of forms is one a minute, the rate limit of the ZIP file of invoices is also one a minute', async () => {
    Object.assign(config(), { rateLimitForms: 1 })
    expect(await letThrough((n) => limitFile(request('/portal/invoices/zip', { address: from(n) })))).toBe(1)
  })
})
