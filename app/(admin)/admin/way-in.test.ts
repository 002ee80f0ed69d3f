import { readdirSync } from 'node:fs'
import path from 'node:path'
import { NextRequest } from 'next/server'
import { describe, expect, it, vi } from 'vitest'
import { proxy } from '@/proxy.ts'

vi.mock('@/lib/platform/config.ts', async (actual) => {
  const { readConfig, ...others } = await actual<typeof import('@/lib/platform/config.ts')>()
  const read = readConfig({
    DATABASE_URL: 'postgresql://none',
    SECRET_KEY: 'x'.repeat(32),
    PUBLIC_BASE_URL: 'https://pay.example.com',
  })
  return { ...others, readConfig, config: () => read }
})

const ask = (path: string, headers: Record<string, string> = {}) =>
  proxy(new NextRequest(`http://127.0.0.1:3000${path}`, { headers }))
const followedLink = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

describe('a browser without a session', () => {
  it.each([
    ['/admin/live/storefront_1/chargebacks/c_1', '?to=%2Fadmin%2Flive%2Fstorefront_1%2Fchargebacks%2Fc_1'],
    ['/admin/search?q=a', '?to=%2Fadmin%2Fsearch%3Fq%3Da'],
    ['/admin', ''],
    ['/admin/second-factor', ''],
  ])(
    'without a session, a request for %s is redirected to the log-in page with the query "%s"',
    async (path, query) => {
      const answer = await ask(path, { 'sec-fetch-site': 'same-origin' })
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe(`https://pay.example.com/admin/sign-in${query}`)
    },
  )

  it('an admin page that is opened by a link on another site reloads itself, so that the browser sends the session cookie', async () => {
    const answer = await ask('/admin/test/storefront_1/orders?status=paid&form=x&name=a&customer=a', followedLink)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    const html = await answer.text()
    const address = '/admin/test/storefront_1/orders?status=paid&amp;customer=a'
    expect(html).toContain(`<meta http-equiv="refresh" content="0;url=${address}">`)
    expect(html).toContain(`<a href="${address}">`)
  })

  it('if a link on another site leads to an invalid admin path, the browser reloads /admin, and the response does not contain the path', async () => {
    const html = await (await ask('/admin/x"><script>', followedLink)).text()
    expect(html).toContain('content="0;url=/admin"')
    expect(html).not.toContain('script')
  })

  it.each([
    { ...followedLink, 'sec-fetch-dest': 'iframe' },
    { ...followedLink, 'sec-fetch-mode': 'no-cors' },
    { ...followedLink, 'sec-fetch-site': 'none' },
    {},
  ])('a request without a session and with the headers %j is redirected to the log-in page', async (headers) => {
    const answer = await ask('/admin/work', headers)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('https://pay.example.com/admin/sign-in?to=%2Fadmin%2Fwork')
  })
})

const variablePaths = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(?:page\.tsx|route\.ts)$/.test(path.basename(file)) && file.includes('['))
  .map((file) => path.dirname(file).replaceAll(/\([^/]+\)\//g, ''))

describe('an address with text that the database cannot store', () => {
  it.each([...new Set(variablePaths)])(
    'the path /admin/%s returns 404 if one of its parameters contains text that the database cannot store',
    async (pattern) => {
      const parts = pattern.split('/')
      for (const [index, part] of parts.entries()) {
        if (!part.startsWith('[')) continue
        for (const text of ['a%00b', '%00', '%ED%A0%80', '%01']) {
          const asked = parts.map((each, at) => (at === index ? text : each.startsWith('[') ? 'live' : each)).join('/')
          const answer = await ask(`/admin/${asked}`)
          expect([asked, answer.status]).toEqual([asked, 404])
        }
      }
    },
  )

  it('the test of invalid path parameters covers more than 70 admin paths, and an accent or a space in a path is valid', async () => {
    expect(variablePaths.length).toBeGreaterThan(70)
    const answer = await ask('/admin/live/storefront_1/orders/%C3%A9%20x')
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('https://pay.example.com/admin/sign-in')
  })
})
