import { afterAll, expect, it } from 'vitest'
import { startMollie } from './mollie.ts'
import { startStripe } from './stripe.ts'

const mollie = await startMollie({})
const stripe = await startStripe({})
afterAll(async () => {
  await mollie.close()
  await stripe.close()
})

const control = async (url: string, path: string, body = '{}') => {
  const response = await fetch(`${url}/_control/${path}`, { method: 'POST', body })
  return [response.status, await response.text()] as const
}

it.each([
  ['an unknown payment of Mollie', () => mollie.url, 'chargebacks/tr_unknown', '{}', 'tr_unknown'],
  ['an unknown chargeback of Mollie', () => mollie.url, 'reversals/chb_unknown', '{}', 'chb_unknown'],
  ['an unknown payment intent of Stripe', () => stripe.url, 'disputes/cs_unknown', '{}', 'cs_unknown'],
  ['a body that is not JSON', () => stripe.url, 'disputes/pi_1', '{', 'JSON'],
  ['an unknown control path', () => stripe.url, 'nothing/1', '{}', 'No such control'],
])('a stand-in responds to %s with 404 and the reason, and keeps running', async (_, url, path, body, reason) => {
  const [status, text] = await control(url(), path, body)
  expect([status, text]).toEqual([404, expect.stringContaining(reason)])
  expect((await fetch(`${url()}/_control/books`)).status).toBe(200)
})
