import { describe, expect, it } from 'vitest'
import { WebhookError, webhooks } from './index.ts'

/** The test vector of docs/contract/webhooks.md. */
const secret = 'whsec_test_fixture_secret'
const v1 = 'c6f573e62fac6ebca1e3534ca8019c9c5fe090d638b3b40c23470d5b6f2598ea'
const body = '{"id":"webhook_event_pin","eventName":"order.paid"}'
const now = 1_700_000_000
const foreign = '0'.repeat(64)

const verified = (header: string | null, raw: string | Uint8Array = body, at = now, key = secret) =>
  webhooks.verify(raw, header, key, { now: at })
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'genuine',
    (error: unknown) => (error instanceof WebhookError ? error.code : String(error)),
  )

describe('verify', () => {
  it('verify() returns the event of the test vector, for a body of text or bytes', async () => {
    const event = { id: 'webhook_event_pin', eventName: 'order.paid' }
    const bytes = new TextEncoder().encode(body)
    expect(await verified(`t=${now},v1=${v1}`)).toEqual(event)
    expect(await verified(`t=${now},v1=${v1}`, bytes)).toEqual(event)
    expect(await webhooks.verify(bytes.buffer, `t=${now},v1=${v1}`, secret, { now })).toEqual(event)
  })

  it('sign() creates the same signature as the service', async () => {
    expect(await webhooks.sign(body, secret, now + 0.9)).toBe(`t=${now},v1=${v1}`)
  })

  it.each([
    ['one of two signatures matches', `t=${now},v1=${foreign},v1=${v1}`, 'genuine'],
    ['no signature matches', `t=${now},v1=${foreign},v1=${foreign}`, 'wrong_signature'],
    ['the signature was made for a different time', `t=${now + 1},v1=${v1}`, 'wrong_signature'],
    ['the header is missing', null, 'malformed_signature'],
    ['the header is empty', '', 'malformed_signature'],
    ['the signature is too short', `t=${now},v1=${v1.slice(2)}`, 'malformed_signature'],
    ['a newline follows', `t=${now},v1=${v1}\n`, 'malformed_signature'],
    ['there is no signature', `t=${now}`, 'malformed_signature'],
    ['the signature has an unknown scheme', `t=${now},v0=${v1}`, 'malformed_signature'],
  ])('verify() accepts only a well-formed header with a matching signature: %s', async (_, header, code) => {
    expect(await codeOf(verified(header))).toBe(code)
  })

  it.each([
    [300, 'genuine'],
    [-300, 'genuine'],
    [301, 'wrong_time'],
    [-301, 'wrong_time'],
  ])('a signature with a time difference of %d seconds from the clock is %s', async (seconds, code) => {
    expect(await codeOf(verified(`t=${now},v1=${v1}`, body, now + seconds))).toBe(code)
  })

  it('verify() uses the tolerance that the caller sets', async () => {
    const options = { now: now + 20, toleranceSeconds: 10 }
    expect(await codeOf(webhooks.verify(body, `t=${now},v1=${v1}`, secret, options))).toBe('wrong_time')
  })

  it('verify() refuses a changed body, another secret, and a body that is not JSON', async () => {
    expect(await codeOf(verified(`t=${now},v1=${v1}`, `${body} `))).toBe('wrong_signature')
    expect(await codeOf(verified(`t=${now},v1=${v1}`, body, now, 'whsec_other_secret'))).toBe('wrong_signature')
    expect(await codeOf(verified(await webhooks.sign('hello', secret, now), 'hello'))).toBe('malformed_body')
    expect(await codeOf(verified(`t=${now},v1=${v1}`, body, now, ''))).toMatch('The secret of the webhook')
  })

  it('eventName narrows the type of the event object', async () => {
    const event = await verified(`t=${now},v1=${v1}`)
    if (event.eventName === 'subscription.started') {
      const status: string = event.object.status
      // @ts-expect-error an order has lines, a subscription has no lines
      expect([status, event.object.lines]).toBeDefined()
    }
    expect(event.eventName).toBe('order.paid')
  })
})
