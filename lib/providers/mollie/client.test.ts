import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { askerOf, connectionState, MollieAway, MollieRefused, resetConnection, uuidOf } from './client.ts'

const settings = { base: 'https://api.mollie.com/v2', accessToken: null, webhookSecret: null }
const accountWith = (name: string, apiKey: string) => ({ name, settings: async () => ({ ...settings, apiKey }) })
const account = accountWith('mollie', 'live_secretsecretsecretsecret')
const ask = askerOf(account)

const answers = (...list: (Response | Error)[]) => {
  const asked: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, init })
    const next = list.shift()
    if (!next || next instanceof Error) throw next ?? new Error('no more answers')
    return next
  })
  return asked
}
const shape = z.object({ id: z.string() })
const post = { method: 'POST', path: 'payments', body: { a: 1 }, idempotencyKey: 'payment_1' } as const
const json = (status: number, body: object, headers = {}) => new Response(JSON.stringify(body), { status, headers })

afterEach(() => {
  vi.unstubAllGlobals()
  resetConnection()
})

describe('requests', () => {
  it('a request to Mollie contains the API key and an idempotency key and follows no redirect', async () => {
    const asked = answers(json(201, { id: 'tr_1' }))
    expect(await ask(shape, post)).toEqual({ id: 'tr_1' })
    expect(asked[0]?.url).toBe('https://api.mollie.com/v2/payments')
    expect(asked[0]?.init).toMatchObject({
      redirect: 'error',
      headers: { authorization: 'Bearer live_secretsecretsecretsecret', 'idempotency-key': uuidOf('payment_1') },
    })
  })

  it.each([400, 404, 410, 422])(
    'a Mollie response with status %s throws MollieRefused without text from the response',
    async (status) => {
      answers(json(status, { detail: 'ada@example.com is wrong', field: 'customerId' }))
      const error = await ask(shape, post).catch((thrown) => thrown)
      expect(error).toBeInstanceOf(MollieRefused)
      expect(error).toMatchObject({ status, field: 'customerId' })
      expect(error.message).not.toContain('ada')
      expect(connectionState(account)).toBe('ok')
    },
  )

  it('a Mollie response with status 401 is reported as an invalid API key', async () => {
    answers(json(401, {}))
    await expect(ask(shape, post)).rejects.toThrow(MollieAway)
    expect(connectionState(account)).toBe('refuses the API key')
  })

  it('repeated Mollie responses with status 403 to refund requests do not stop other requests to Mollie', async () => {
    const asked = answers(
      ...Array.from({ length: 6 }, () => json(403, {})),
      json(200, { id: 'tr_1' }),
      json(201, { id: 're_1' }),
    )
    const refund = { ...post, path: 'payments/tr_1/refunds' }
    for (let each = 0; each < 6; each++)
      await expect(ask(shape, refund)).rejects.toThrow(
        'Mollie forbids POST payments/refunds: the API key lacks the permission',
      )
    expect(connectionState(account)).toBe('forbids POST payments/refunds')
    expect(await ask(shape, { method: 'GET', path: 'payments/tr_1' })).toEqual({ id: 'tr_1' })
    expect(connectionState(account)).toBe('forbids POST payments/refunds')
    expect(await ask(shape, refund)).toEqual({ id: 're_1' })
    expect([asked.length, connectionState(account)]).toEqual([8, 'ok'])
  })

  it.each([500, 502, 503, 504])(
    'a Mollie response with status %s throws MollieAway, because the outcome is unknown',
    async (status) => {
      answers(json(status, {}))
      await expect(ask(shape, post)).rejects.toThrow(MollieAway)
    },
  )

  it('a request to Mollie is repeated while Mollie responds with 409', async () => {
    vi.useFakeTimers()
    const asked = answers(json(409, {}), json(409, {}), json(201, { id: 'tr_1' }))
    const made = ask(shape, post)
    await vi.runAllTimersAsync()
    expect(await made).toEqual({ id: 'tr_1' })
    expect(asked).toHaveLength(3)
    vi.useRealTimers()
  })

  it('a Mollie response in an unknown format throws MollieAway', async () => {
    answers(json(200, { other: true }), new Response('<html>', { status: 200 }))
    await expect(ask(shape, post)).rejects.toThrow('another shape: id')
    await expect(ask(shape, post)).rejects.toThrow(MollieAway)
  })

  it('requests to Mollie pause after five failures and during a Retry-After delay', async () => {
    const asked = answers(...Array.from({ length: 5 }, () => new Error('refused')), json(200, { id: 'tr_1' }))
    for (let each = 0; each < 6; each++) await expect(ask(shape, post)).rejects.toThrow(MollieAway)
    expect(asked).toHaveLength(5)
    expect(connectionState(account)).toBe('does not answer')
    resetConnection()
    expect(await ask(shape, post)).toEqual({ id: 'tr_1' })
    expect(connectionState(account)).toBe('ok')

    const later = answers(json(429, {}, { 'retry-after': '30' }), json(200, { id: 'tr_1' }))
    await expect(ask(shape, post)).rejects.toThrow('Mollie answered 429')
    await expect(ask(shape, post)).rejects.toThrow(/not asked for another (2\d|30)\d{3} ms/)
    expect(later).toHaveLength(1)
  })
})

it('failures of one Mollie account do not stop requests for another account', async () => {
  const own = accountWith('mollie-provider_account_1', 'live_anotheranotheranotheranother')
  const asked = answers(...Array.from({ length: 5 }, () => json(401, {})), json(200, { id: 'tr_1' }))
  for (let each = 0; each < 6; each++) await expect(askerOf(own)(shape, post)).rejects.toThrow(MollieAway)
  expect(await ask(shape, post)).toEqual({ id: 'tr_1' })
  expect(asked.map(({ init }) => new Headers(init.headers).get('authorization'))).toEqual([
    ...Array.from({ length: 5 }, () => 'Bearer live_anotheranotheranotheranother'),
    'Bearer live_secretsecretsecretsecret',
  ])
  expect([connectionState(account), connectionState(own)]).toEqual(['ok', 'refuses the API key'])
})

it('uuidOf() returns the same version 4 UUID for the same id', () => {
  expect(uuidOf('payment_1')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(uuidOf('payment_1')).toBe(uuidOf('payment_1'))
  expect(uuidOf('payment_2')).not.toBe(uuidOf('payment_1'))
})
