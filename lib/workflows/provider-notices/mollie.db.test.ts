import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { resetConnection } from '../../providers/mollie/client.ts'
import { forgetMethods } from '../../providers/mollie/methods.ts'
import { registry } from '../../providers/registry.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type MollieStandIn, startMollie } from '../../testing/stand-ins/mollie.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { reconcileNow } from '../reconciliation/daily.ts'
import { cancelCheckout } from '../sale/cancel-or-expire.ts'
import { submit } from '../sale/hosted.ts'
import { syncWithProvider } from '../sale/sync-payment.ts'

/** Sales and renewals where Mollie differs from other providers. A stand-in on this machine plays Mollie over HTTP. */

let mollie: MollieStandIn
let shop: Shop
let productId: string

beforeAll(async () => {
  mollie = await startMollie()
  const { apiKey, accessToken, url } = mollie
  Object.assign(config(), { mollie: { apiKey, accessToken, webhookSecret: null, base: url }, livePayments: 'mollie' })
  const its = registry.providers.find(({ name }) => name === 'mollie') ?? null
  // On a test clock a month passes in a moment.
  vi.spyOn(registry, 'ofNewPayments', 'get').mockReturnValue({ test: its, live: its })
  shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  ;({ id: productId } = await stock.aProduct(shop.testKey))
})
afterAll(() => mollie.close())
afterEach(async () => {
  resetConnection()
  forgetMethods()
  expect(await brokenInvariants()).toEqual({})
})

async function onPage(paymentMethod: string) {
  const checkout = await stock.aCheckout(shop.testKey, productId)
  const form = buyerForm({ paymentMethod, email: `${checkout.id}@example.com` })
  await submit(tokenOf(checkout.links.checkoutUrl.href), form, germanVisitor)
  const payment = mollie.books.payments.at(-1)
  if (!payment) throw new Error('the stand-in has no payment')
  return { checkout, payment, sync: () => syncWithProvider(shop.scope, payment.id) }
}

const deletions = () => mollie.requests.filter((each) => each.startsWith('DELETE /v2/payments/')).length

describe('a payment', () => {
  it('that is opened for a card and paid by iDEAL is an order paid by iDEAL', async () => {
    const { checkout, payment, sync } = await onPage('creditcard')
    mollie.decide(payment.id, 'paid', {}, 'ideal')
    await sync()
    const { orderId } = await get(shop.testKey, `/v1/checkouts/${checkout.id}`)
    expect(await get(shop.testKey, `/v1/orders/${orderId}`)).toMatchObject({ status: 'paid', paymentMethod: 'ideal' })
  })

  it.each([
    ['creditcard', 1],
    ['ideal', 0],
  ])('by %s is canceled at Mollie only if Mollie says that this is possible', async (method, times) => {
    const { checkout } = await onPage(method)
    const before = deletions()
    await cancelCheckout(shop.scope, checkout.id)
    expect(deletions() - before).toBe(times)
    expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'canceled' })
  })

  it('with a status that we do not know stays undecided, and the daily comparison lists it', async () => {
    const { checkout, payment, sync } = await onPage('creditcard')
    mollie.decide(payment.id, 'unheard_of' as never)
    await sync()
    await runDueTasks()
    expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'created' })
    const { id } = await db().payments.findFirstOrThrow({ where: { provider_ref: payment.id } })
    const span = {
      since: new Date('2020-01-01'),
      until: new Date('2100-01-01'),
      settledUntil: new Date(0),
      settleMs: 0,
    }
    const found = (await reconcileNow(span)).filter(({ provider }) => provider === 'mollie')
    expect(found).toMatchObject([
      { kind: 'payment_status_unknown', ref: payment.id, id, ours: expect.stringContaining('not paid') },
    ])
    mollie.decide(payment.id, 'paid')
    await sync()
    expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'paid' })
    // The stand-in reported what Mollie does not describe, for this test alone.
    mollie.violations.splice(0)
  })
})
