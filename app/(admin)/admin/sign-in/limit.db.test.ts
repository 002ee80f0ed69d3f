import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { passwordOf } from '@/lib/modules/operators/attempts.ts'
import { createOperator } from '@/lib/modules/operators/operations.ts'
import { config } from '@/lib/platform/config.ts'
import { db } from '@/lib/platform/db/db.ts'
import { writeClientAddress } from '@/lib/platform/http/client-address.ts'
import { POST } from './submit/route.ts'

const password = 'correct horse battery'

// The clock is frozen. Otherwise, the rate limit would allow additional requests while a slow test runs.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  Object.assign(config(), { rateLimitForms: 4, rateLimitFormsAddress: 1200 })
})
afterEach(() => {
  vi.useRealTimers()
})

async function signIn(remoteAddress: string, email: string, given = 'a wrong password'): Promise<Response> {
  const sent = { origin: config().publicBaseUrl, 'sec-fetch-site': 'same-origin' }
  const message = { headers: sent, socket: { remoteAddress } } as unknown as IncomingMessage
  writeClientAddress(message, null)
  const request = new Request(`${config().publicBaseUrl}/admin/sign-in/submit`, {
    method: 'POST',
    headers: message.headers as Record<string, string>,
    body: new URLSearchParams({ email, password: given }),
  })
  return POST(request, { params: Promise.resolve({}) })
}

const leadsTo = (answer: Response) => new URL(answer.headers.get('location') ?? '', config().publicBaseUrl).pathname

it('admin log-ins have a rate limit per IP address across all accounts', async () => {
  const email = 'limited@example.com'
  await createOperator({ email, password })
  for (let n = 0; n < 4; n++) {
    const answer = await signIn('203.0.113.7', n === 0 ? email : `guess${n}@example.com`)
    expect([answer.status, leadsTo(answer)]).toEqual([303, '/admin/sign-in'])
  }
  for (const [given, name] of [
    ['a wrong password', 'guess9@example.com'],
    [password, email],
  ] as const) {
    const refused = await signIn('203.0.113.7', name, given)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('set-cookie')).toBeNull()
  }
  const ofAccount = await db().sign_in_failures.findMany({ where: { subject: passwordOf(email), source: '' } })
  expect(ofAccount).toMatchObject([{ count: 1, locked_until: null }])
  const elsewhere = await signIn('203.0.113.8', email, password)
  expect([elsewhere.status, leadsTo(elsewhere)]).toEqual([303, '/admin/second-factor'])
  expect(elsewhere.headers.get('set-cookie')).toContain('SameSite=Strict')
})

it('all addresses of an IPv6 /64 network share the rate limit of admin log-ins', async () => {
  for (let n = 0; n < 4; n++) expect((await signIn(`2001:db8:7:7::${n}`, `v6-${n}@example.com`)).status).toBe(303)
  expect((await signIn('2001:db8:7:7:ffff::1', 'v6-9@example.com')).status).toBe(429)
  expect((await signIn('2001:db8:7:8::1', 'v6-9@example.com')).status).toBe(303)
})
