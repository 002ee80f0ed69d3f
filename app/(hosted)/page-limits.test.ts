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
// Time is frozen: otherwise a limit would recover during a slow test.
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
/** Counts the requests that are accepted before the first refused one. */
async function letThrough(ask: (n: number) => Promise<Response | null>, most = 40): Promise<number> {
  for (let n = 0; n < most; n++) if (await ask(n)) return n
  return most
}

describe('pages of the portal', () => {
  it('portal pages are limited per session, all together', async () => {
    const paths = ['/portal', '/portal/invoices', '/portal/subscriptions/1', '/portal/email']
    expect(await letThrough((n) => limitPage(request(paths[n % 4] ?? '', { address: from(n) })))).toBe(12)
    expect(await limitPage(request('/portal', { session: 'another' }))).toBeNull()
  })

  it('portal pages are limited per address, whatever session a request claims', async () => {
    expect(await letThrough((n) => limitPage(request('/portal', { session: `claimed${n}` })))).toBe(20)
  })

  it.each(['/portal/link', '/portal/email-change', '/withdrawal'])(
    'pages behind a link below %s are limited per link',
    async (page) => {
      expect(await letThrough((n) => limitPage(request(`${page}/token${sessions}`, { address: from(n) })))).toBe(12)
      expect(await limitPage(request(`${page}/other`))).toBeNull()
    },
  )

  it('log-in pages, which have no link, are limited per address', async () => {
    const path = `/portal/sign-in/${'a'.repeat(44)}`
    expect(await letThrough((n) => limitPage(request(path, { session: '', address: from(n) })))).toBe(40)
    expect(await letThrough(() => limitPage(request(path, { session: '' })))).toBe(11)
  })

  it('the page of a payment link, which everybody shares, is limited by address', async () => {
    const ask = (n: number, code = 'a') =>
      limitPage(request(`/buy/${code.repeat(22)}`, { session: '', address: from(n) }))
    expect(await letThrough((n) => ask(n))).toBe(40)
    expect(await letThrough(() => ask(1, 'b'))).toBe(11)
  })

  it('the response to a limited page states when to retry, in the language of the reader', async () => {
    await letThrough(() => limitPage(request('/portal')))
    const response = await limitPage(request('/portal'))
    expect(response?.status).toBe(429)
    expect(response?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(response?.headers.get('cache-control')).toBe('no-store')
    expect(await response?.text()).toMatch(/Sekunde/)
    vi.setSystemTime(Date.now() + 60_000)
    expect(await limitPage(request('/portal'))).toBeNull()
  })

  it('only limited pages are counted, and 0 means no limit', async () => {
    for (const path of ['/', '/checkout/token', '/portals', '/admin/portal', '/withdrawals/x'])
      expect(await letThrough(() => limitPage(request(path))), path).toBe(40)
    Object.assign(config(), { rateLimitForms: 0, rateLimitFormsAddress: 0 })
    expect(await letThrough(() => limitPage(request('/portal')))).toBe(40)
  })
})

describe('the invoices as a ZIP file', () => {
  it('the ZIP file of invoices has a third of the limit of forms', async () => {
    Object.assign(config(), { rateLimitForms: 30, rateLimitFormsAddress: 1200 })
    expect(await letThrough((n) => limitFile(request('/portal/invoices/zip', { address: from(n) })))).toBe(10)
    expect(await limitPage(request('/portal/invoices'))).toBeNull()
  })

  it('the ZIP file of invoices is allowed once a minute if hardly any form is allowed', async () => {
    Object.assign(config(), { rateLimitForms: 1 })
    expect(await letThrough((n) => limitFile(request('/portal/invoices/zip', { address: from(n) })))).toBe(1)
  })
})
