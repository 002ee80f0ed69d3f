import { beforeAll, describe, expect, it } from 'vitest'
import { POST } from '@/app/api/providers/[provider]/route.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { atSecondProvider, noticeOf, takePaymentsAtSecondProvider } from '../../testing/second-provider.ts'
import { aShop, buyerForm, eventsOf, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

takePaymentsAtSecondProvider('test')

const post = (request: Request, provider = 'second') =>
  POST(request, { params: Promise.resolve({ provider }) }).then(({ status }) => status)

const mandate = {
  ref: 'second_mandate',
  provider: 'second',
  method: 'sepa_debit',
  maskedIdentifier: 'FR76****0189',
  status: 'valid',
} as const

const isOpen = ({ status }: { status: string }) => status === 'open' || status === 'pending'
const waiting = () => atSecondProvider.payments().filter(isOpen)

let shop: Shop
let planId: string

beforeAll(async () => {
  shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  ;({ id: planId } = await stock.aPlan(shop.testKey, { basePrice: stock.price('10.00') }))
})

async function onProviderPage() {
  const checkout = await stock.aCheckout(shop.testKey, planId)
  const sent = await submitCheckout(
    tokenOf(checkout.links.checkoutUrl.href),
    buyerForm({ paymentMethod: 'directdebit' }),
    germanVisitor,
  )
  const [payment] = waiting()
  if (!payment) throw new Error('no payment was created')
  expect(sent?.redirectTo).toBe(`https://pay.second.example/${payment.ref}`)
  return { checkout, payment }
}

async function pay() {
  const { checkout, payment } = await onProviderPage()
  expect(await post(atSecondProvider.decide(payment.ref, { status: 'paid', mandate }))).toBe(200)
  await runDueTasks()
  const { status, orderId } = await get(shop.testKey, `/v1/checkouts/${checkout.id}`)
  expect(status).toBe('paid')
  return { orderId, ref: payment.ref }
}

describe('payments at a second provider', () => {
  it('at a second provider, a subscription is sold, and then renewed with the provider’s mandate', async () => {
    await pay()
    const [subscription] = (await get(shop.testKey, '/v1/subscriptions')).data
    expect(subscription.mandate).toEqual({ method: 'sepa_debit', maskedIdentifier: 'FR76****0189' })

    await pass({ key: shop.testKey }, 'P1M')
    const [charge] = waiting()
    expect(charge).toMatchObject({ status: 'pending', returnUrl: null })
    const renewal = () => get(shop.testKey, '/v1/orders?limit=1').then(({ data }) => data[0].status)
    expect(await renewal()).toBe('pending')

    const notice = atSecondProvider.decide(charge?.ref ?? '', { status: 'paid' })
    const repeated = notice.clone()
    expect(await post(notice)).toBe(200)
    await runDueTasks()
    expect(await renewal()).toBe('paid')
    const events = await eventsOf(shop)
    expect(await post(repeated)).toBe(200)
    await runDueTasks()
    expect(await eventsOf(shop)).toEqual(events)
    expect(events.filter((name) => name === 'order.paid')).toHaveLength(2)
    expect(await brokenInvariants()).toEqual({})
  })

  it('at a second provider, a failed charge starts a recovery with the reason that the provider states', async () => {
    await pass({ key: shop.testKey }, 'P1M')
    const [charge] = waiting()
    await post(atSecondProvider.decide(charge?.ref ?? '', { status: 'failed', failureReason: 'insufficient_funds' }))
    await runDueTasks()
    const recovery = await db().recoveries.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
    expect(recovery).toMatchObject({ status: 'open', failure_reason: 'insufficient_funds' })
  })

  it('at a second provider, a refund is paid to the buyer', async () => {
    const { orderId } = await pay()
    const reply = await send(`POST /v1/orders/${orderId}/refunds/full`, { key: shop.testKey })
    expect(reply.status, JSON.stringify(reply.body)).toBe(201)
    await pass({ key: shop.testKey }, 'P1D')
    expect(await get(shop.testKey, `/v1/orders/${orderId}/refunds/${reply.body.id}`)).toMatchObject({
      status: 'refunded',
    })
  })

  it('a notice of a dispute at a second provider creates a pending chargeback', async () => {
    const { orderId, ref } = await pay()
    expect(await post(atSecondProvider.dispute(ref))).toBe(200)
    await runDueTasks()
    const { data } = await get(shop.testKey, `/v1/orders/${orderId}/chargebacks`)
    expect(data).toMatchObject([{ status: 'pending', reason: 'fraud' }])
  })
})

describe('notices at a second provider', () => {
  const paymentNotice = { subject: 'payment', ref: 'second_1', paymentRef: 'second_1' } as const
  const tasks = () => db().tasks.count({ where: { name: { in: ['payment.sync', 'chargeback.sync'] } } })

  it('a notice without the provider’s secret gets 400, and no payment is fetched', async () => {
    const { payment } = await onProviderPage()
    const forged = noticeOf({ subject: 'payment', ref: payment.ref, paymentRef: payment.ref }, { 'second-secret': '' })
    expect(await post(forged)).toBe(400)
    expect(await tasks()).toBe(0)
  })

  it('a notice to an unknown provider, or to a provider without notices, gets 404', async () => {
    expect(await post(noticeOf(paymentNotice), 'sandbox')).toBe(404)
    expect(await post(noticeOf(paymentNotice), 'nobody')).toBe(404)
  })

  it('the body of a notice is not read if no provider accepts the notice', async () => {
    const request = noticeOf(paymentNotice)
    expect(await post(request, 'nobody')).toBe(404)
    expect(request.bodyUsed).toBe(false)
  })

  it('a notice about an unknown payment is accepted without an effect', async () => {
    expect(await post(noticeOf(paymentNotice))).toBe(200)
    expect(await tasks()).toBe(0)
  })

  it('a notice is refused if it exceeds the maximum body size', async () => {
    const body = 'x'.repeat(1_048_577)
    expect(await post(new Request('http://localhost/api/providers/second', { method: 'POST', body }))).toBe(413)
  })
})
