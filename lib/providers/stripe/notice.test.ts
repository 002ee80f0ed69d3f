import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { noticesIn } from './notice.ts'

const read = (event: unknown, headers: Record<string, string> = {}, webhookSecret: string | null = null) =>
  noticesIn(
    {
      headers: new Headers(headers),
      body: Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)),
    },
    { webhookSecret },
  )
const paid = { object: 'event', type: 'checkout.session.completed', data: { object: { id: 'cs_live_1' } } }
const subject = { subject: 'payment', ref: 'cs_live_1', paymentRef: 'cs_live_1' }

it('noticesIn() returns the session or payment intent of a Stripe event, and nothing for other objects', () => {
  expect(read(paid)).toEqual([subject])
  const charged = { ...paid, type: 'payment_intent.succeeded', data: { object: { id: 'pi_1' } } }
  expect(read(charged)).toMatchObject([{ ref: 'pi_1' }])
  const disputed = { ...paid, type: 'charge.dispute.updated', data: { object: { id: 'du_1', payment_intent: 'pi_1' } } }
  expect(read(disputed)).toEqual([{ subject: 'payment', ref: 'pi_1', paymentRef: 'pi_1' }])
  expect(read({ ...disputed, data: { object: { id: 'du_1', payment_intent: null } } })).toEqual([])
  expect(read({ ...paid, type: 'customer.created', data: { object: { id: 'cus_1' } } })).toEqual([])
  expect(read({ ...paid, data: { object: { id: "cs_1' OR 1" } } })).toEqual([])
  expect(read({ ...paid, data: { object: {} } })).toEqual([])
})

it('noticesIn() returns the object of a thin Stripe event', () => {
  const thin = (type: string, related_object: object | null) => ({
    id: 'evt_1',
    object: 'v2.core.event',
    type,
    created: '2027-01-01T00:00:00.000Z',
    livemode: true,
    related_object,
  })
  const of = (type: string, id: string) => ({ id, type, url: `/v1/${type}s/${id}` })
  expect(read(thin('v1.payment_intent.succeeded', of('payment_intent', 'pi_1')))).toEqual([
    { subject: 'payment', ref: 'pi_1', paymentRef: 'pi_1' },
  ])
  expect(read(thin('v1.checkout.session.completed', of('checkout.session', 'cs_live_1')))).toEqual([subject])
  expect(read(thin('v1.charge.dispute.created', of('dispute', 'du_1')))).toEqual([])
  expect(read(thin('v2.core.account.updated', null))).toEqual([])
})

it.each(['', 'no JSON', '[]', 'null', '{"type":1}', '{"type":"a","data":null}', '{"type":"a","data":{"object":1}}'])(
  'noticesIn() returns null for %s',
  (text) => {
    expect(read(text)).toBeNull()
  },
)

it('with a webhook secret, a Stripe event without a recent signature is refused', () => {
  const ours = 'whsec_secretsecretsecret'
  const payload = JSON.stringify(paid)
  const signed = (secret: string, timestamp = Math.floor(Date.now() / 1000)) => ({
    'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
  })
  expect(read(payload, signed(ours), ours)).toEqual([subject])
  expect(read(payload, signed('whsec_another'), ours)).toBeNull()
  expect(read(payload, signed(ours, 1_700_000_000), ours)).toBeNull()
  expect(read(`${payload} `, signed(ours), ours)).toBeNull()
  expect(read(payload, {}, ours)).toBeNull()
  const thin = JSON.stringify({
    object: 'v2.core.event',
    type: 'v1.checkout.session.completed',
    related_object: { id: 'cs_live_1', type: 'checkout.session', url: '/v1/checkout/sessions/cs_live_1' },
  })
  const header = Stripe.webhooks.generateTestHeaderString({ payload: thin, secret: ours })
  expect(read(thin, { 'stripe-signature': header }, ours)).toEqual([subject])
  expect(read(thin, signed('whsec_another'), ours)).toBeNull()
})
