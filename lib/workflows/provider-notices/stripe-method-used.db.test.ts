import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { aCheckout, aPlan, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMonthLater, newestOnPage, sendNotice } from '../../testing/live-sales.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, tokenOf } from '../../testing/shop.ts'
import { type Stripe, takePaymentsAtStripe } from '../../testing/stripe-sales.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

let provider: Stripe
beforeAll(async () => {
  provider = await takePaymentsAtStripe()
})
afterEach(async () => {
  provider.reset()
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})
afterAll(() => provider.close())

/** The buyer pays with the method `used` on Stripe's page, which can differ from the method chosen on our page. */
async function paidBy(chosen: string, used: string | null) {
  const shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  const { id } = await aPlan(shop.testKey, { basePrice: price('10.00') })
  const checkout = await aCheckout(shop.testKey, id)
  await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), buyerForm({ paymentMethod: chosen }), germanVisitor)
  const { ref } = newestOnPage(provider)
  provider.pay(ref)
  const charge = provider.standIn.books.charges.at(-1)
  if (used) Object.assign(charge ?? {}, { payment_method_details: { type: used, [used]: {} } })
  await sendNotice(provider, provider.noticeOf(ref))
  await runDueTasks()
  return shop
}

const methods = async (key: string) =>
  (await get(key, '/v1/orders')).data.map((order: { paymentMethod: string | null }) => order.paymentMethod)

it.each([
  ['creditcard', 'ideal', 'ideal'],
  ['creditcard', 'bancontact', 'bancontact'],
  ['creditcard', 'paypal', 'paypal'],
  ['ideal', 'card', 'creditcard'],
  ['creditcard', 'link', 'creditcard'],
  ['bancontact', null, 'bancontact'],
])(
  'if the buyer chooses %s on the checkout page and pays by %s at Stripe, the method of the order is %s',
  async (chosen, used, method) => {
    const { testKey } = await paidBy(chosen, used)
    expect(await methods(testKey)).toEqual([method])
  },
)

it('the renewal of a plan is paid by direct debit if the first payment was paid by iDEAL', async () => {
  const { testKey } = await paidBy('ideal', null)
  await aMonthLater(testKey)
  const { ref } = provider.payments().findLast(({ kind }) => kind === 'on a mandate') ?? { ref: '' }
  provider.pay(ref)
  await sendNotice(provider, provider.noticeOf(ref))
  await runDueTasks(1000)
  expect(await methods(testKey)).toEqual(['directdebit', 'ideal'])
})
