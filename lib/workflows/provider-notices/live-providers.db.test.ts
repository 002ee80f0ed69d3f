import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { POST } from '@/app/api/providers/[provider]/route.ts'
import { db } from '../../platform/db/db.ts'
import { amount } from '../../testing/amount.ts'
import { send } from '../../testing/api.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMonthLater, aShopOf, jump, liveSales, newestOnPage, orderStatuses } from '../../testing/live-sales.ts'
import { billingToken, submitMethod } from '../../testing/scenarios.ts'
import { buyerForm, eventsOf, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { clockTo, get, pass } from '../../testing/subscription-scenario.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { findMissedChargebacks } from './missed.ts'

/** These tests run sales, renewals, refunds, and disputes against a local server that simulates each live provider. */

const sales = liveSales()
const { notify, onPage, paid, pageOf, untilDone } = sales
let provider: LiveProvider
let shop: Shop
const statusAtProvider = (ref: string) => provider.payments().find((each) => each.ref === ref)?.status

const lineOf = async (orderId: string) => (await get(shop.testKey, `/v1/orders/${orderId}`)).lines[0].id
const newestOrder = async () => (await get(shop.testKey, '/v1/orders?limit=1')).data[0]

describe.each([
  ['Mollie', liveMollie],
  ['Stripe', liveStripe],
] as const)('the service processes sales and charges at %s', (_title, start) => {
  beforeAll(async () => {
    await sales.start(start)
    ;({ provider, shop } = sales)
  })
  afterEach(() => provider.reset())

  describe('a sale at a live provider', () => {
    it('a sale is paid on the provider’s page, and its renewal is charged on the mandate of the sale', async () => {
      const { payment } = await paid()
      expect(payment).toMatchObject({ kind: 'with a mandate', amount: '11.90 EUR' })
      const [subscription] = (await get(shop.testKey, '/v1/subscriptions')).data
      expect(subscription.mandate).toEqual({ method: 'card', maskedIdentifier: '6787' })
      expect(await db().payments.findFirst({ where: { provider_ref: payment.ref } })).toMatchObject({ country: 'DE' })

      await jump(sales, { months: 1 })
      const ofCustomer = provider.payments().filter(({ customerRef }) => customerRef === payment.customerRef)
      expect(ofCustomer).toMatchObject([{ ref: payment.ref }, { kind: 'on a mandate', status: 'paid' }])
      expect((await newestOrder()).status).toBe('paid')
      expect(await brokenInvariants()).toEqual({})
    })

    it('polling finds a paid sale if its notice does not arrive', async () => {
      const { checkout, payment } = await onPage(sales.productId)
      provider.pay(payment.ref)
      await pass({ key: shop.testKey }, 'PT45S')
      expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'paid' })
    })

    it('ten notices about a sale record one payment', async () => {
      const { payment } = await onPage(sales.productId)
      provider.pay(payment.ref)
      const before = (await eventsOf(shop)).length
      await Promise.all(Array.from({ length: 10 }, () => notify(payment.ref)))
      await runDueTasks()
      await notify(payment.ref)
      await runDueTasks()
      const events = (await eventsOf(shop)).slice(before)
      expect(events.filter((name) => name === 'order.paid')).toHaveLength(1)
    })

    it('the checkout of a plan offers each payment method of the account except direct debit, and refuses a form with direct debit', async () => {
      const checkout = await stock.aCheckout(shop.testKey, sales.planId)
      const token = tokenOf(checkout.links.checkoutUrl.href)
      const page = await checkoutPage(token, germanVisitor)
      expect(page).toMatchObject({ state: 'open', quote: { methods: ['creditcard', 'ideal', 'bancontact', 'paypal'] } })
      await submitCheckout(token, buyerForm({ paymentMethod: 'directdebit' }), germanVisitor)
      expect(await checkoutPage(token, germanVisitor)).toMatchObject({
        problems: { paymentMethod: { code: 'unavailable' } },
      })
    })

    it('sending the checkout form again leads to the same payment, even if the first response was lost', async () => {
      const { token, payment } = await onPage(sales.productId)
      const before = provider.paymentsAskedFor()
      const again = await submitCheckout(token, buyerForm(), germanVisitor)
      expect(again?.redirectTo).toBe(`${provider.url}/checkout/${payment.ref}`)
      expect(provider.paymentsAskedFor()).toBe(before)

      const checkout = await stock.aCheckout(shop.testKey, sales.productId)
      const other = tokenOf(checkout.links.checkoutUrl.href)
      provider.failNext('cut after')
      await expect(submitCheckout(other, buyerForm(), germanVisitor)).rejects.toThrow(
        `${provider.title} does not answer`,
      )
      const made = newestOnPage(provider)
      const sent = await submitCheckout(other, buyerForm(), germanVisitor)
      expect(sent?.redirectTo).toBe(`${provider.url}/checkout/${made.ref}`)
      expect(newestOnPage(provider)).toEqual(made)
    })

    it.each([
      ['one-off product', () => sales.productId],
      ['plan', () => sales.planId],
    ])('a %s is paid once even if the buyer corrects the form after a lost response', async (_, sold) => {
      const checkout = await stock.aCheckout(shop.testKey, sold())
      const token = tokenOf(checkout.links.checkoutUrl.href)
      for (const mistyped of [{ email: 'eva@example.con' }, { fullName: 'Eva Muster' }]) {
        provider.failNext('cut after')
        await expect(submitCheckout(token, buyerForm(mistyped), germanVisitor)).rejects.toThrow('does not answer')
        provider.resetConnection()
      }
      const sent = await submitCheckout(token, buyerForm(), germanVisitor)
      const payment = newestOnPage(provider)
      expect(sent?.redirectTo).toBe(pageOf(payment.ref))
      provider.pay(payment.ref)
      await notify(payment.ref)
      await runDueTasks()
      expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'paid' })
      expect(await brokenInvariants()).toEqual({})
    })

    it('after a lost response, the buyer can send the billing update form again, even with a different browser language', async () => {
      const { key } = await aShopOf(provider, 1)
      const [{ id }] = (await get(key, '/v1/subscriptions')).data
      const token = await billingToken({ key, id })
      provider.failNext('cut after')
      await expect(submitMethod(token, 'paypal')).rejects.toThrow('does not answer')
      provider.resetConnection()
      const sent = await submitMethod(token, 'paypal', { acceptLanguage: 'fr' })
      expect(sent?.redirectTo).toBe(pageOf(newestOnPage(provider).ref))
    })

    it('if the buyer chooses a second method, a second payment opens and the first is closed or refunded', async () => {
      const { checkout, token, payment: ideal } = await onPage(sales.productId, 'ideal')
      const sent = await submitCheckout(token, buyerForm({ paymentMethod: 'creditcard' }), germanVisitor)
      const card = newestOnPage(provider)
      expect(sent?.redirectTo).toBe(pageOf(card.ref))
      expect(card.ref).not.toBe(ideal.ref)
      provider.pay(card.ref)
      // Mollie cannot cancel an iDEAL payment, so a late payment is returned. Stripe closes the payment page instead.
      const isClosed = statusAtProvider(ideal.ref) === 'over'
      expect(isClosed).toBe(provider.name === 'stripe')
      if (!isClosed) provider.pay(ideal.ref)
      await Promise.all([notify(ideal.ref), notify(card.ref), notify(ideal.ref)])
      await runDueTasks()
      expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'paid' })
      expect(provider.refundsOf(ideal.ref)).toMatchObject(isClosed ? [] : [{ amount: ideal.amount }])
      for (const refund of provider.refundsOf(ideal.ref)) refund.settle()
      await pass({ key: shop.testKey }, 'PT10M')
      await notify(ideal.ref)
      await runDueTasks()
      expect(provider.refundsOf(ideal.ref)).toHaveLength(isClosed ? 0 : 1)
      const row = await db().payments.findFirstOrThrow({ where: { provider_ref: ideal.ref } })
      expect(row).toMatchObject({ status: 'canceled', returned_at: isClosed ? null : expect.any(Date) })
      expect(provider.refundsOf(card.ref)).toEqual([])
      expect(await brokenInvariants()).toEqual({})
    })

    it('a sale is paid once, even if the buyer pays in one tab and sends the form in another tab', async () => {
      const { checkout, token, payment } = await onPage(sales.productId, 'ideal')
      provider.pay(payment.ref)
      const asked = provider.paymentsAskedFor()
      const sent = await submitCheckout(token, buyerForm({ paymentMethod: 'creditcard' }), germanVisitor)
      expect(sent?.redirectTo).toMatch(/^\/checkout\/[^/]+$/)
      expect(provider.paymentsAskedFor()).toBe(asked)
      expect(provider.refundsOf(payment.ref)).toEqual([])
      expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'paid' })
    })

    it('duplicate, late, and out-of-order notices have the same result as notices in order', async () => {
      const { orderId, payment } = await paid(sales.productId)
      const { body: refund } = await send(`POST /v1/orders/${orderId}/refunds`, {
        key: shop.testKey,
        body: { items: [{ itemId: await lineOf(orderId), amount: stock.price('5.00') }] },
      })
      await pass({ key: shop.testKey }, 'PT2M')
      for (const each of provider.refundsOf(payment.ref)) each.settle()
      provider.dispute(payment.ref)
      const { payment: other } = await onPage(sales.productId)
      provider.pay(other.ref)
      for (const ref of [payment.ref, other.ref, payment.ref, payment.ref, other.ref]) await notify(ref)
      await runDueTasks()
      await jump(sales, { days: 21 })
      const seen = await eventsOf(shop)
      for (const ref of [other.ref, payment.ref, other.ref]) await notify(ref)
      await runDueTasks()
      expect(await eventsOf(shop)).toEqual(seen)
      expect((await get(shop.testKey, `/v1/refunds/${refund.id}`)).status).toBe('refunded')
      expect((await get(shop.testKey, `/v1/orders/${orderId}/chargebacks`)).data).toHaveLength(1)
      expect(await brokenInvariants()).toEqual({})
      provider.winDisputes()
      await findMissedChargebacks()
      await runDueTasks()
    })

    it('a forged notice about an unpaid payment has no effect except a request to the provider', async () => {
      const { checkout, payment } = await onPage(sales.productId)
      const seen = await eventsOf(shop)
      expect(await notify(payment.ref)).toBe(200)
      await runDueTasks()
      expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({
        status: 'created',
        orderId: null,
      })
      expect(await eventsOf(shop)).toEqual(seen)
    })

    it('a notice about a payment of another account has no effect', async () => {
      const tasks = () => db().tasks.count({ where: { name: 'payment.sync' } })
      const before = await tasks()
      expect(await notify(provider.name === 'mollie' ? 'tr_ofsomebodyelse' : 'cs_live_ofsomebodyelse')).toBe(200)
      expect(await tasks()).toBe(before)
    })

    it('a request that is not a notice is refused', async () => {
      const statusOf = (body: string) => {
        const request = new Request(`http://localhost/api/providers/${provider.name}`, { method: 'POST', body })
        return POST(request, { params: Promise.resolve({ provider: provider.name }) }).then(({ status }) => status)
      }
      for (const body of ['', 'id=order_1', '[]', '{"type":1}', '\u0000']) expect(await statusOf(body)).toBe(400)
    })
  })

  describe('a charge at a live provider', () => {
    it.each(['cut after', 'cut before', 500, 503, 429] as const)(
      'a charge is made once, even if its request fails (%s)',
      async (fault) => {
        const { key, charges } = await aShopOf(provider, 1)
        provider.failNext(fault)
        await aMonthLater(key)
        expect(provider.hasFaults()).toBe(false)
        await untilDone()
        expect(charges()).toHaveLength(1)
        expect(await orderStatuses(key)).toEqual(['paid', 'paid'])
        expect(await brokenInvariants()).toEqual({})
      },
    )

    const many = amount({ short: 3, long: 1000 })
    it(`${many} charges with lost responses make ${many} payments in total, even if the provider forgets the idempotency keys before the retries`, async () => {
      const { key, charges } = await aShopOf(provider, many)
      provider.failNext('cut after', { times: many })
      await aMonthLater(key)
      provider.forgetKeys()
      await untilDone(100)
      expect(charges()).toHaveLength(many)
      const paid = await db().payments.count({
        where: { status: 'paid', provider_ref: { in: charges().map(({ ref }) => ref) } },
      })
      expect(paid).toBe(many)
      expect(await brokenInvariants()).toEqual({})
    })

    it('an immediate charge below the provider’s minimum is deferred to the renewal', async () => {
      const { key, charges } = await aShopOf(provider, 1)
      const [{ id, renewedUntil }] = (await get(key, '/v1/subscriptions')).data
      const halfADayBefore = new Date(Date.parse(renewedUntil) - 43_200_000).toISOString()
      await clockTo(key, halfADayBefore)
      const body = { quantity: 2, applyImmediately: true, invoiceImmediately: true }
      const changed = await send(`PATCH /v1/subscriptions/${id}`, { key, body })
      expect(changed.status, JSON.stringify(changed.body)).toBe(200)
      await pass({ key }, 'P2D')
      // Half a day of the plan costs 0.19 (10.00 per month plus 19 % tax). Stripe refuses a charge of 0.19, so the renewal includes this amount.
      const amounts = { mollie: ['0.19 EUR', '23.80 EUR'], stripe: ['23.99 EUR'] }
      expect(charges()).toMatchObject(amounts[provider.name].map((amount) => ({ amount, status: 'paid' })))
      expect(await brokenInvariants()).toEqual({})
    })

    it('a plan is not sold if the provider would refuse its later charges', async () => {
      const { id } = await stock.aPlan(shop.testKey, { basePrice: stock.price('0.30') })
      const checkout = await stock.aCheckout(shop.testKey, id, { products: [{ id, trialDays: 7 }] })
      const page = await checkoutPage(tokenOf(checkout.links.checkoutUrl.href), germanVisitor)
      const methods = provider.name === 'stripe' ? [] : expect.arrayContaining(['creditcard'])
      expect(page).toMatchObject({ state: 'open', quote: { methods } })
    })

    it('a declined charge starts a recovery with the reason that the provider states', async () => {
      const { shop, key, mandates } = await aShopOf(provider, 1)
      for (const mandate of mandates()) provider.expire(mandate)
      await aMonthLater(key)
      const recovery = await db().recoveries.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
      expect(recovery).toMatchObject({ status: 'open', failure_reason: 'card_expired' })
    })

    it('a charge starts a recovery if the mandate was revoked at the bank', async () => {
      const { shop, key, mandates } = await aShopOf(provider, 1)
      for (const mandate of mandates()) provider.revoke(mandate)
      await aMonthLater(key)
      const recovery = await db().recoveries.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
      expect(recovery).toMatchObject({ status: 'open', failure_reason: 'invalid_mandate' })
    })

    it('a direct debit is pending until the bank decides, and polling finds the decision', async () => {
      const { shop, key, charges } = await aShopOf(provider, 1, 'ideal')
      const [subscription] = (await get(key, '/v1/subscriptions')).data
      expect(subscription.mandate).toMatchObject({
        method: 'sepa_debit',
        maskedIdentifier: expect.stringMatching(/^NL(?:91)?\*{4}4300$/),
      })
      const mandate = await db().mandates.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
      expect(mandate.reference).toMatch(/^ST[-_]/)
      await aMonthLater(key)
      const [charge] = charges()
      expect(charge).toMatchObject({ status: 'pending' })
      expect(await orderStatuses(key)).toEqual(['pending', 'paid'])
      provider.bounce(charge?.ref ?? '')
      await pass({ key }, 'PT2H')
      const recovery = await db().recoveries.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
      expect(recovery).toMatchObject({ status: 'open', failure_reason: 'insufficient_funds' })
    })

    it('a returned direct debit makes the order unpaid again, even if no notice arrives', async () => {
      const { key, charges } = await aShopOf(provider, 1, 'ideal')
      await aMonthLater(key)
      const [charge] = charges()
      provider.pay(charge?.ref ?? '')
      await pass({ key }, 'PT2H')
      expect(await orderStatuses(key)).toEqual(['paid', 'paid'])
      await pass({ key }, 'P3W')
      const { data } = await get(key, '/v1/orders?limit=1')
      provider.returnDebit(charge?.ref ?? '')
      await findMissedChargebacks()
      await findMissedChargebacks()
      await runDueTasks()
      expect((await get(key, `/v1/orders/${data[0].id}/chargebacks`)).data).toEqual([])
      expect(await get(key, `/v1/orders/${data[0].id}`)).toMatchObject({
        status: 'pending',
        invoiceNumber: data[0].invoiceNumber,
      })
      const recovery = await db().recoveries.findFirstOrThrow({ where: { order_id: data[0].id } })
      expect(recovery).toMatchObject({ status: 'open', kind: 'soft', failure_reason: 'insufficient_funds' })
      expect(await brokenInvariants()).toEqual({})
    })

    it('direct debits that are returned at the same time are all found, even on later pages of the provider’s list', async () => {
      const { key, charges } = await aShopOf(provider, 3, 'ideal')
      await aMonthLater(key)
      for (const { ref } of charges()) provider.pay(ref)
      await pass({ key }, 'PT2H')
      const { data } = await get(key, '/v1/orders?limit=3')
      for (const { ref } of charges()) provider.returnDebit(ref)
      provider.shortenPages(1)
      await findMissedChargebacks()
      provider.shortenPages(Number.POSITIVE_INFINITY)
      await runDueTasks()
      for (const { id } of data) expect(await get(key, `/v1/orders/${id}`)).toMatchObject({ status: 'pending' })
    })
  })
})
