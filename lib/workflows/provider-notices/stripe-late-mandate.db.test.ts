import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { aCheckout, aPlan, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { jump, newestOnPage, orderStatuses, sendNotice } from '../../testing/live-sales.ts'
import { aShop, buyerForm, eventsOf, germanVisitor, runDueTasks, tokenOf } from '../../testing/shop.ts'
import { type Stripe, takePaymentsAtStripe } from '../../testing/stripe-sales.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

let provider: Stripe
beforeAll(async () => {
  provider = await takePaymentsAtStripe()
})
afterEach(() => provider.reset())
afterAll(() => provider.close())

it.each(['ideal', 'bancontact'])(
  'a mandate that Stripe creates late for a payment by %s is found before the renewal',
  async (type) => {
    const shop = await aShop({ at: '2027-01-01T00:00:00Z' })
    const { id } = await aPlan(shop.testKey, { basePrice: price('10.00') })
    const token = tokenOf((await aCheckout(shop.testKey, id)).links.checkoutUrl.href)
    await submitCheckout(token, buyerForm({ paymentMethod: type }), germanVisitor)
    const { ref, customerRef } = newestOnPage(provider)
    provider.pay(ref)
    const details = provider.standIn.books.charges.at(-1)?.payment_method_details as Record<string, object>
    const made = { ...details[type] }
    Object.assign(details[type] ?? {}, { generated_sepa_debit: null, generated_sepa_debit_mandate: null })
    await sendNotice(provider, provider.noticeOf(ref))
    await runDueTasks()
    const subscription = async () => (await get(shop.testKey, '/v1/subscriptions')).data[0]
    expect(await subscription()).toMatchObject({ status: 'active', mandate: null })
    await pass({ key: shop.testKey }, 'PT2H')
    expect(await subscription()).toMatchObject({ mandate: null })

    Object.assign(details[type] ?? {}, made)
    await pass({ key: shop.testKey }, 'PT2H')
    expect(await subscription()).toMatchObject({ mandate: { method: 'sepa_debit' } })
    await sendNotice(provider, provider.noticeOf(ref))
    await runDueTasks()
    expect(await db().mandates.count({ where: { storefront_id: shop.storefrontId } })).toBe(1)
    expect((await eventsOf(shop)).filter((name) => name === 'subscription.billing_updated')).toHaveLength(1)
    await jump({ shop }, { months: 1 })
    const asked = { storefront_id: shop.storefrontId, kind: 'payment_method_missing' as const }
    expect(await db().emails.count({ where: asked })).toBe(0)
    const charges = provider
      .payments()
      .filter((each) => each.customerRef === customerRef && each.kind === 'on a mandate')
    expect(charges).toMatchObject([{ status: 'pending' }])
    expect(await orderStatuses(shop.testKey)).toEqual(['pending', 'paid'])
    expect(await brokenInvariants()).toEqual({})
  },
)

it('the Stripe session of a subscription never offers the payment method Link', async () => {
  const shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  const { id } = await aPlan(shop.testKey, { basePrice: price('10.00') })
  const token = tokenOf((await aCheckout(shop.testKey, id)).links.checkoutUrl.href)
  await submitCheckout(token, buyerForm({ paymentMethod: 'creditcard' }), germanVisitor)
  expect(provider.standIn.books.sessions.at(-1)).toMatchObject({ wallet_options: { link: { display: 'never' } } })
})
