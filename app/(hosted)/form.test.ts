import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/platform/config.ts'
import { writeClientAddress } from '@/lib/platform/http/client-address.ts'
import { fileRoute } from './download.ts'
import { formRoutes, quoteRoute, sessionFormRoutes, uploadRoutes } from './form.ts'

vi.mock('@/lib/platform/log.ts', () => ({ log: { error: () => undefined } }))
vi.mock('@/lib/platform/config.ts', async (actual) => {
  const { readConfig } = await actual<typeof import('@/lib/platform/config.ts')>()
  const read = readConfig({ DATABASE_URL: 'postgresql://none', SECRET_KEY: 'x'.repeat(32) })
  return { config: () => read }
})

let links = 0
let link: string

// Time is frozen: otherwise a limit would recover during a slow test.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  link = `link${++links}`
  Object.assign(config(), { rateLimitForms: 3, rateLimitFormsAddress: 5 })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Sent {
  readonly path?: string
  readonly from?: string
  readonly body?: string
  readonly language?: string
}

function request({ path = 'submit', from = `2001:db8:${links}::1`, body, language = 'en' }: Sent = {}): Request {
  const headers = { 'accept-language': language, 'content-type': 'application/x-www-form-urlencoded' }
  const message = { headers, socket: { remoteAddress: from } } as unknown as IncomingMessage
  writeClientAddress(message, null)
  return new Request(`http://billhook.test/checkout/${link}/${path}`, {
    headers: message.headers as Record<string, string>,
    ...(body !== undefined && { method: 'POST', body }),
  })
}
const at = (token = link) => ({ params: Promise.resolve({ token }) })

const taken = vi.fn(async () => ({ redirectTo: '/pay/1' }))
const broken = () => Promise.reject(new Error('ECONNREFUSED'))
const post = (take: Parameters<typeof formRoutes>[1], sent: Sent = {}, token?: string) =>
  formRoutes('checkout', take).POST(request({ body: 'email=ada%40example.com&city=&lang=pl', ...sent }), at(token))
const statuses = async (count: number, again: () => Promise<Response>) => {
  const all: number[] = []
  for (let n = 0; n < count; n++) all.push((await again()).status)
  return all
}

describe('a form of a hosted page', () => {
  it('a form redirects to the target of its operation, or back to its page', async () => {
    const answer = await post(taken)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/pay/1'])
    expect((await post(async () => null)).headers.get('location')).toBe(`/checkout/${link}`)
    const opened = await formRoutes('checkout', taken).GET(request(), at())
    expect([opened.status, opened.headers.get('location')]).toEqual([303, `/checkout/${link}`])
  })

  it('a form that cannot be accepted gets a page that keeps the input, in its own language', async () => {
    const answer = await post(broken)
    expect(answer.status).toBe(503)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '5',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
    })
    const html = await answer.text()
    expect(html).toContain('<html lang="pl">')
    expect(html).toContain(`<form action="/checkout/${link}/submit" method="post">`)
    expect(html).toContain('name="email" value="ada@example.com"')
    expect(html).toContain('name="city" value=""')
  })

  it.each([
    ['checkout', "'self' https: http:"],
    ['withdrawal', "'self'"],
    ['portal/link', "'self'"],
  ] as const)('the kept form of the page %s may lead to %s', async (page, sources) => {
    const answer = await formRoutes(page, broken).POST(request({ body: 'lang=pl' }), at())
    expect(answer.headers.get('content-security-policy')).toContain(`form-action ${sources};`)
  })

  it('a kept form without a language is shown in the reader’s language', async () => {
    const answer = await post(broken, { body: 'email=a', language: 'de-AT,de;q=0.9' })
    expect(await answer.text()).toContain('<html lang="de">')
    expect(await (await post(broken, { body: 'lang=xx', language: 'ja' })).text()).toContain('<html lang="en">')
  })

  it('a form from another site is refused, whatever its link, and has no effect', async () => {
    const take = vi.fn()
    const headers = { origin: 'null', 'sec-fetch-site': 'cross-site' }
    const request = new Request('http://localhost/checkout/x/submit', { method: 'POST', body: 'a=b', headers })
    const response = await formRoutes('checkout', take).POST(request, { params: Promise.resolve({ token: 'x' }) })
    expect([response.status, take.mock.calls]).toEqual([403, []])
  })

  it('an invalid form redirects back to its page', async () => {
    taken.mockClear()
    for (const body of ['x'.repeat(70_000), 'a&'.repeat(101)]) {
      const answer = await post(taken, { body })
      expect(answer.headers.get('location')).toBe(`/checkout/${link}`)
    }
    expect(taken).not.toHaveBeenCalled()
  })

  it('forms are limited by link, and a form beyond the limit is kept with the time of a retry', async () => {
    taken.mockClear()
    expect(await statuses(4, () => post(taken))).toEqual([303, 303, 303, 429])
    const refused = await post(taken)
    expect(refused.headers.get('retry-after')).toBe('20')
    expect(await refused.text()).toContain('name="email" value="ada@example.com"')
    expect(taken).toHaveBeenCalledTimes(3)
    vi.setSystemTime(Date.now() + 20_000)
    expect(await statuses(2, () => post(taken))).toEqual([303, 429])
  })

  it('forms are limited by address, whatever the link', async () => {
    const from = '203.0.113.9'
    let others = 0
    const each = await statuses(6, () => post(taken, { from }, `${link}-${others++}`))
    expect(each).toEqual([303, 303, 303, 303, 303, 429])
    expect((await post(taken, { from: '203.0.113.10' })).status).toBe(303)
  })

  it('forms are never refused with a limit of 0', async () => {
    Object.assign(config(), { rateLimitForms: 0, rateLimitFormsAddress: 0 })
    expect(new Set(await statuses(20, () => post(taken)))).toEqual(new Set([303]))
  })
})

describe('the quote beside a form', () => {
  const ask = (quote: Parameters<typeof quoteRoute>[1]) =>
    quoteRoute('checkout', quote)(request({ path: 'quote?country=DE&lang=de' }), at())

  it('a quote is in the requested language, and 404 if there is nothing to pay', async () => {
    const answer = await ask(async (token, query, locale) => ({ token, country: query.get('country'), locale }))
    expect([answer.status, await answer.json()]).toEqual([200, { token: link, country: 'DE', locale: 'de' }])
    expect((await ask(async () => null)).status).toBe(404)
  })

  it('a quote that cannot be computed returns an error', async () => {
    const answer = await ask(broken)
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([503, '5', null])
  })

  it('quotes of a page that everybody shares are limited by address, for all links together', async () => {
    const ask = (n: number, from: string) =>
      quoteRoute('buy', async () => ({}))(request({ path: 'quote', from }), at(`code${n}`))
    const all: number[] = []
    for (let n = 0; n < 31; n++) all.push((await ask(n, `2001:db8:${links}::1`)).status)
    expect(all.filter((status) => status === 200)).toHaveLength(30)
    expect((await ask(0, `2001:db8:${links}ff::1`)).status).toBe(200)
  })

  it('quotes have ten times the limit of forms, counted separately', async () => {
    const all = await statuses(31, () => ask(async () => ({})))
    expect(all.filter((status) => status === 200)).toHaveLength(30)
    expect(all.at(-1)).toBe(429)
    expect((await post(taken)).status).toBe(303)
  })
})

const upload = { page: 'brand', pathOf: () => '/brand', tooLarge: '?large', maxBytes: 9000 }

describe.each([
  [
    'a form whose response is a file',
    fileRoute({ page: 'csv', pathOf: () => '/csv', contentType: 'text/csv' }, async () => null),
  ],
  ['a form with a file', uploadRoutes({ ...upload, isAllowed: async () => true }, async () => null)],
])('%s', (_, { POST }) => {
  it('forms with a session are limited by address, and the response states the seconds until a retry', async () => {
    const send = () => {
      const sent = request({ body: '', language: 'de' })
      sent.headers.set('origin', config().publicBaseUrl)
      sent.headers.set('sec-fetch-site', 'same-origin')
      return POST(sent, { params: Promise.resolve({}) })
    }
    expect(await statuses(4, send)).toEqual([303, 303, 303, 429])
    const refused = await send()
    expect(refused.headers.get('retry-after')).toBe('20')
    expect(await refused.text()).toMatch(/^Zu viele Versuche\n\n.*20 Sekunden/)
  })
})

describe('a form with a file', () => {
  const take = vi.fn(async () => null)
  beforeEach(() => take.mockClear())
  const send = async (isAllowed: () => Promise<boolean>, fields: [string, string][]) => {
    const sent = request({ body: new URLSearchParams(fields).toString() })
    sent.headers.set('origin', config().publicBaseUrl)
    sent.headers.set('sec-fetch-site', 'same-origin')
    const answer = await uploadRoutes({ ...upload, isAllowed }, take).POST(sent, { params: Promise.resolve({}) })
    return [answer.status, answer.headers.get('location'), take.mock.calls.length]
  }
  const allowed = async () => true
  const many = (count: number) => Array.from({ length: count }, (_, n): [string, string] => [`a${n}`, ''])

  it('a form with more fields than any of our forms is not processed', async () => {
    expect(await send(allowed, many(101))).toEqual([303, '/brand', 0])
    expect(await send(allowed, many(100))).toEqual([303, '/brand', 1])
  })

  it('a form of a sender without permission is not processed, regardless of its size', async () => {
    const denied = async () => false
    expect(await send(denied, many(1))).toEqual([303, '/brand', 0])
    expect(await send(denied, [['a', 'x'.repeat(10_000)]])).toEqual([303, '/brand', 0])
    expect(await send(allowed, [['a', 'x'.repeat(10_000)]])).toEqual([303, '/brand?large', 0])
  })

  it('without a database the operation itself reports the failure', async () => {
    take.mockRejectedValueOnce(new Error('ECONNREFUSED'))
    expect(await send(broken, many(1))).toEqual([503, null, 1])
  })
})

describe('a form with a value that the database cannot search for', () => {
  const page = { page: 'admin/x', pathOf: () => '/admin/x', otherwise: '/admin' }
  const sent = (id: string, from: string) => {
    const form = request({ body: new URLSearchParams({ intent: 'end', id }).toString(), from })
    form.headers.set('origin', config().publicBaseUrl)
    form.headers.set('sec-fetch-site', 'same-origin')
    return form
  }
  const at = { params: Promise.resolve({}) }

  it.each(['\0', 'payout_\0', '\0\n'])('is refused before its operation, with a reason on its page: %j', async (id) => {
    const upload = { ...page, tooLarge: '', maxBytes: 1000, isAllowed: async () => true }
    for (const [n, { POST }] of [sessionFormRoutes(page, taken), uploadRoutes(upload, taken)].entries()) {
      const from = `2001:db8:${links}:${n}::1`
      taken.mockClear()
      const refused = await POST(sent(id, from), at)
      expect(refused.headers.get('location')).toBe('/admin/x?failed=validation_failed')
      expect(taken).not.toHaveBeenCalled()
      expect((await POST(sent('payout_1', from), at)).headers.get('location')).toBe('/pay/1')
    }
  })
})
