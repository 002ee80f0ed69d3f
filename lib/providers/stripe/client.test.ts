import { afterEach, describe, expect, it, vi } from 'vitest'
import { AccountProblem } from '../live-payments/account-problems.ts'
import { askerOf, connectionState, resetConnection, StripeAway, StripeRefused } from './client.ts'

const settings = { base: 'https://proxy.example.com/stripe/v1', accessToken: null, webhookSecret: null }
const account = { name: 'stripe', settings: async () => ({ ...settings, apiKey: 'sk_live_secretsecret' }) }
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
const json = (status: number, body: object, headers = {}) => new Response(JSON.stringify(body), { status, headers })
const refusal = (status: number, error: object) => json(status, { error: { type: 'invalid_request_error', ...error } })
const charge = () =>
  ask((api) => api.paymentIntents.create({ amount: 100, currency: 'eur' }, { idempotencyKey: 'payment_1' }))

afterEach(() => {
  vi.unstubAllGlobals()
  resetConnection()
})

describe('requests', () => {
  it('a request to Stripe uses the base URL, the API key, and our idempotency key, and follows no redirect', async () => {
    const asked = answers(json(200, { id: 'pi_1' }))
    expect(await charge()).toMatchObject({ id: 'pi_1' })
    expect(asked[0]?.url).toBe('https://proxy.example.com/stripe/v1/payment_intents')
    expect(asked[0]?.init.redirect).toBe('error')
    const headers = new Headers(asked[0]?.init.headers)
    expect(headers.get('authorization')).toBe('Bearer sk_live_secretsecret')
    expect(headers.get('idempotency-key')).toBe('payment_1')
  })

  it.each([400, 404])(
    'a Stripe response with status %s throws StripeRefused without text from the response',
    async (status) => {
      answers(refusal(status, { code: 'resource_missing', message: 'No such customer: ada@example.com' }))
      const error = await charge().catch((thrown) => thrown)
      expect(error).toBeInstanceOf(StripeRefused)
      expect(error).toMatchObject({ status, code: 'resource_missing', intentId: null })
      expect(JSON.stringify([error, error.message])).not.toContain('ada')
      expect(connectionState(account)).toBe('ok')
    },
  )

  it('the error of a declined card contains the decline code of the bank and the payment intent', async () => {
    const error = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'lost_card',
      payment_intent: { id: 'pi_1' },
    }
    answers(refusal(402, error))
    await expect(charge()).rejects.toMatchObject({ declineCode: 'lost_card', intentId: 'pi_1' })
  })

  it('a Stripe response with status 401 is reported as an invalid API key', async () => {
    answers(refusal(401, {}))
    await expect(charge()).rejects.toThrow(StripeAway)
    expect(connectionState(account)).toBe('refuses the API key')
  })

  it('the error for a Stripe response with status 403 names the permission that the API key lacks', async () => {
    const message =
      "The key 'rk_live_1' lacks permissions. Having the 'rak_payment_method_write' permission would allow this"
    answers(refusal(403, { message }), refusal(403, {}))
    const error = await charge().catch((thrown) => thrown)
    expect(error).toBeInstanceOf(AccountProblem)
    expect(error).toMatchObject({
      code: 'rak_payment_method_write',
      message: 'the API key lacks the permission rak_payment_method_write',
    })
    await expect(charge()).rejects.toMatchObject({ code: 'forbidden' })
    expect(connectionState(account)).toBe('ok')
  })

  it('the error of a Stripe request has isSaved set if Stripe replays a failure for the idempotency key', async () => {
    const failure = (headers: object) => json(500, { error: { type: 'api_error' } }, headers)
    answers(failure({}), failure({ 'idempotent-replayed': 'true' }))
    await expect(charge()).rejects.toMatchObject({ isSaved: false })
    await expect(charge()).rejects.toMatchObject({ isSaved: true })
  })

  it('the timeout of a Stripe request is 80 seconds in a job and 10 seconds on a page', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const of = async (asker: typeof ask) => {
      answers(json(200, { id: 'pi_1' }))
      timers.mockClear()
      await asker((api) => api.paymentIntents.retrieve('pi_1'))
      return timers.mock.calls.map(([, ms]) => ms)
    }
    expect(await of(ask)).toContain(80_000)
    expect(await of(askerOf(account, 'page'))).toContain(10_000)
    timers.mockRestore()
  })

  it.each([500, 502, 503, 504])(
    'a Stripe response with status %s throws StripeAway and is not retried',
    async (status) => {
      const asked = answers(refusal(status, { type: 'api_error' }))
      await expect(charge()).rejects.toThrow(StripeAway)
      expect(asked).toHaveLength(1)
    },
  )

  it('a lost connection and a malformed or endless Stripe response throw StripeAway', async () => {
    const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1_000_000)) })
    for (const answer of [new Error('reset'), new Response('<html>'), new Response(endless)]) {
      answers(answer)
      await expect(charge()).rejects.toThrow(StripeAway)
    }
    expect(connectionState(account)).not.toBe('ok')
  })

  it('a request to Stripe is repeated while Stripe responds with 409', async () => {
    const running = () => refusal(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' })
    const asked = answers(running(), running(), json(200, { id: 'pi_1' }))
    expect(await charge()).toMatchObject({ id: 'pi_1' })
    expect(asked).toHaveLength(3)
    answers(refusal(400, { type: 'idempotency_error' }))
    await expect(charge()).rejects.toThrow('another request with this key')
    expect(connectionState(account)).toBe('ok')
  })

  it('requests to Stripe pause during the Retry-After delay of a 429 response', async () => {
    const asked = answers(json(429, { error: { code: 'rate_limit' } }, { 'retry-after': '30' }))
    await expect(charge()).rejects.toThrow(StripeAway)
    await expect(charge()).rejects.toThrow('is not asked for another')
    expect(asked).toHaveLength(1)
  })
})
