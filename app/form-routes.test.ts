import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProviderUnavailable } from '@/lib/modules/payments/page.ts'
import { config } from '@/lib/platform/config.ts'
import { writeClientAddress } from '@/lib/platform/http/client-address.ts'
import { fileRoute } from './file-route.ts'
import { formRoutes, quoteRoute, sessionFormRoutes, uploadRoutes } from './form-routes.ts'

vi.mock('@/lib/platform/log.ts', () => ({ log: { error: () => undefined } }))
vi.mock('@/lib/platform/config.ts', async (actual) => {
  const { readConfig } = await actual<typeof import('@/lib/platform/config.ts')>()
  const read = readConfig({ DATABASE_URL: 'postgresql://none', SECRET_KEY: 'x'.repeat(32) })
  return { config: () => read }
})

let links = 0
let link: string

// The clock is frozen. Otherwise, the rate limit would allow additional requests while a slow test runs.
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
  it('a hosted form redirects to the URL that its operation returns, or to the page of the form if the operation returns null', async () => {
    const answer = await post(taken)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/pay/1'])
    expect((await post(async () => null)).headers.get('location')).toBe(`/checkout/${link}`)
    const opened = await formRoutes('checkout', taken).GET(request(), at())
    expect([opened.status, opened.headers.get('location')]).toEqual([303, `/checkout/${link}`])
  })

  it('the response to a failed hosted form keeps the input and the language of the form', async () => {
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
  ] as const)(
    'if a form of the page %s fails, the CSP of the response allows the form-action sources %s',
    async (page, sources) => {
      const answer = await formRoutes(page, broken).POST(request({ body: 'lang=pl' }), at())
      expect(answer.headers.get('content-security-policy')).toContain(`form-action ${sources};`)
    },
  )

  it.each([
    ['checkout', true],
    ['buy', true],
    ['billing-update', true],
    ['withdrawal', false],
  ] as const)(
    'if the payment provider is unavailable, the response to a form of the page %s says that nothing was charged: %s',
    async (page, isSaid) => {
      const away = () => Promise.reject(new ProviderUnavailable('away'))
      const answer = await formRoutes(page, away).POST(request({ body: 'lang=en' }), at())
      const text = await answer.text()
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      expect(text.includes('nothing was charged for it')).toBe(isSaid)
      expect(text.includes('We cannot say yet')).toBe(!isSaid)
    },
  )

  it('if a failed form contains no valid language, the response is in the language of the browser', async () => {
    const answer = await post(broken, { body: 'email=a', language: 'de-AT,de;q=0.9' })
    expect(await answer.text()).toContain('<html lang="de">')
    expect(await (await post(broken, { body: 'lang=xx', language: 'ja' })).text()).toContain('<html lang="en">')
  })

  it('a hosted form from another site is refused with 403 and has no effect', async () => {
    const take = vi.fn()
    const headers = { origin: 'null', 'sec-fetch-site': 'cross-site' }
    const request = new Request('http://localhost/checkout/x/submit', { method: 'POST', body: 'a=b', headers })
    const response = await formRoutes('checkout', take).POST(request, { params: Promise.resolve({ token: 'x' }) })
    expect([response.status, take.mock.calls]).toEqual([403, []])
  })

  it('a hosted form above 64 KiB or with more than 100 fields redirects to its page and is not processed', async () => {
    taken.mockClear()
    for (const body of ['x'.repeat(70_000), 'a&'.repeat(101)]) {
      const answer = await post(taken, { body })
      expect(answer.headers.get('location')).toBe(`/checkout/${link}`)
    }
    expect(taken).not.toHaveBeenCalled()
  })

  it('hosted forms have a rate limit per link, and the response to a refused form states when to retry', async () => {
    taken.mockClear()
    expect(await statuses(4, () => post(taken))).toEqual([303, 303, 303, 429])
    const refused = await post(taken)
    expect(refused.headers.get('retry-after')).toBe('20')
    expect(await refused.text()).toContain('name="email" value="ada@example.com"')
    expect(taken).toHaveBeenCalledTimes(3)
    vi.setSystemTime(Date.now() + 20_000)
    expect(await statuses(2, () => post(taken))).toEqual([303, 429])
  })

  it('hosted forms have a rate limit per IP address across all links', async () => {
    const from = '203.0.113.9'
    let others = 0
    const each = await statuses(6, () => post(taken, { from }, `${link}-${others++}`))
    expect(each).toEqual([303, 303, 303, 303, 303, 429])
    expect((await post(taken, { from: '203.0.113.10' })).status).toBe(303)
  })

  it('hosted forms have no rate limit if the configured limit is 0', async () => {
    Object.assign(config(), { rateLimitForms: 0, rateLimitFormsAddress: 0 })
    expect(new Set(await statuses(20, () => post(taken)))).toEqual(new Set([303]))
  })
})

describe('a price quote of a hosted form', () => {
  const ask = (quote: Parameters<typeof quoteRoute>[1]) =>
    quoteRoute('checkout', quote)(request({ path: 'quote?country=DE&lang=de' }), at())

  it('a price quote is in the requested language, and the status is 404 if the function that computes the quote returns null', async () => {
    const answer = await ask(async (token, query, locale) => ({ token, country: query.get('country'), locale }))
    expect([answer.status, await answer.json()]).toEqual([200, { token: link, country: 'DE', locale: 'de' }])
    expect((await ask(async () => null)).status).toBe(404)
  })

  it('the response is 503 with a Retry-After header if the function that computes the price quote fails', async () => {
    const answer = await ask(broken)
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([503, '5', null])
  })

  it('price quotes of payment links have a rate limit per IP address across all links', async () => {
    const ask = (n: number, from: string) =>
      quoteRoute('buy', async () => ({}))(request({ path: 'quote', from }), at(`code${n}`))
    const all: number[] = []
    for (let n = 0; n < 31; n++) all.push((await ask(n, `2001:db8:${links}::1`)).status)
    expect(all.filter((status) => status === 200)).toHaveLength(30)
    expect((await ask(0, `2001:db8:${links}ff::1`)).status).toBe(200)
  })

  it('the rate limit of price quotes is ten times the rate limit of forms, and quotes do not count toward the limit of forms', async () => {
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
])('the rate limit of %s', (_, { POST }) => {
  it('forms that upload or download a file have a rate limit per IP address, and the 429 response states when to retry', async () => {
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

  it('a form with a file is not processed if it has more than 100 fields', async () => {
    expect(await send(allowed, many(101))).toEqual([303, '/brand', 0])
    expect(await send(allowed, many(100))).toEqual([303, '/brand', 1])
  })

  it('if the sender of a form with a file has no permission, the redirect does not report that the form is too large', async () => {
    const denied = async () => false
    expect(await send(denied, many(1))).toEqual([303, '/brand', 0])
    expect(await send(denied, [['a', 'x'.repeat(10_000)]])).toEqual([303, '/brand', 0])
    expect(await send(allowed, [['a', 'x'.repeat(10_000)]])).toEqual([303, '/brand?large', 0])
  })

  it('a form with a file returns 503 if the database is unavailable', async () => {
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

  it.each(['\0', 'payout_\0', '\0\n'])(
    'a form is refused with a reason if the database cannot store the text %j',
    async (id) => {
      const upload = { ...page, tooLarge: '', maxBytes: 1000, isAllowed: async () => true }
      for (const [n, { POST }] of [sessionFormRoutes(page, taken), uploadRoutes(upload, taken)].entries()) {
        const from = `2001:db8:${links}:${n}::1`
        taken.mockClear()
        const refused = await POST(sent(id, from), at)
        expect(refused.headers.get('location')).toBe('/admin/x?failed=validation_failed')
        expect(taken).not.toHaveBeenCalled()
        expect((await POST(sent('payout_1', from), at)).headers.get('location')).toBe('/pay/1')
      }
    },
  )
})
