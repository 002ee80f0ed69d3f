import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { serviceProblems } from '../../platform/outbound/service-problems.ts'
import { serviceStates } from '../../providers/index.ts'
import { registry } from '../../providers/registry.ts'
import { readiness } from '../../server/readiness.ts'
import { send } from '../../testing/api.ts'
import { barrier } from '../../testing/barrier.ts'
import { expireLeases, killedAt, moments, places } from '../../testing/crash.ts'
import { takeSnapshot } from '../../testing/database-snapshot.ts'
import { aCheckout, aPlan, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMonthLater, aShopOf, orderStatuses, tryAgain } from '../../testing/live-sales.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, tokenOf } from '../../testing/shop.ts'
import { recoveryStatuses, type Stripe, takePaymentsAtStripe, taskErrors } from '../../testing/stripe-sales.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { revokeUnusedMandates } from '../mandates/revoke.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

let provider: Stripe
beforeAll(async () => {
  provider = await takePaymentsAtStripe()
})
afterEach(async () => {
  provider.reset()
  // Forgets the problems that a test leaves in the memory of the process or in the database.
  serviceProblems().forget()
  await db().service_problems.deleteMany()
})
afterAll(() => provider.close())

async function withSavedFailure(fault: 500 | '500 after' = 500) {
  const made = await aShopOf(provider, 1)
  provider.failNext(fault)
  await aMonthLater(made.key)
  expect(provider.hasFaults()).toBe(false)
  return made
}

describe('a failure that Stripe stores under the idempotency key', () => {
  it.each([500, '500 after'] as const)(
    'a charge is made once even if Stripe stores a failure under the idempotency key (%s)',
    async (fault) => {
      const { key, charges } = await withSavedFailure(fault)
      await tryAgain(provider, 3)
      expect(charges()).toMatchObject([{ status: 'paid' }])
      expect(await orderStatuses(key)).toEqual(['paid', 'paid'])
      expect(await brokenInvariants()).toEqual({})
    },
  )

  it('after Stripe has stored a failure under an idempotency key, the refund is requested with a new key', async () => {
    const { key, customers } = await aShopOf(provider, 1)
    const [{ id }] = (await get(key, '/v1/orders?limit=1')).data
    expect((await send(`POST /v1/orders/${id}/refunds/full`, { key })).status).toBe(201)
    provider.failNext(500)
    await send('POST /v1/test-helpers/clock/advance', { key, body: { by: 'PT5M' } })
    await runDueTasks(1000)
    await tryAgain(provider, 3)
    const sale = provider.payments().find(({ customerRef }) => customers.includes(customerRef))
    expect(provider.refundsOf(sale?.ref ?? '')).toHaveLength(1)
  })

  it('if Stripe has stored a failure for a customer or a payment page, the buyer’s next form uses a new idempotency key', async () => {
    const shop = await aShop({ at: '2027-01-01T00:00:00Z' })
    const { id } = await aPlan(shop.testKey, { basePrice: price('10.00') })
    const checkout = await aCheckout(shop.testKey, id)
    const token = tokenOf(checkout.links.checkoutUrl.href)
    const buy = () => submitCheckout(token, buyerForm({ paymentMethod: 'creditcard' }), germanVisitor)
    provider.failNext(500)
    for (const _ of [1, 2]) await expect(buy()).rejects.toThrow('answers 500')
    provider.failNext('500 after', { times: 2 })
    for (const _ of [1, 2]) await expect(buy()).rejects.toThrow('answers 500')
    const next = await buy()
    expect(next?.redirectTo).toMatch(/\/checkout\/cs_live_/)
    expect(await buy()).toEqual(next)
  })

  it('after Stripe has stored a failure, two concurrent retries make one charge', async () => {
    const { key, charges, shop } = await aShopOf(provider, 1)
    provider.standIn.refuse('/v1/payment_intents', { code: 'lock_timeout' })
    await aMonthLater(key)
    provider.standIn.refuse('/v1/payment_intents', null)
    const payment = await db().payments.findFirstOrThrow({
      where: { storefront_id: shop.storefrontId, status: 'created' },
      include: { mandate: true },
    })
    const stripe = registry.providers.find(({ name }) => name === 'stripe')
    const request = {
      idempotencyKey: payment.id,
      orderId: payment.order_id,
      amount: { minor: payment.amount, currency: 'EUR' as const },
      method: 'creditcard' as const,
      mandateRef: payment.mandate?.provider_ref ?? '',
    }
    const charge = () => stripe?.chargeMandate(shop.scope, request)
    provider.failNext(500)
    // The provider returns the stored failure for the second request, so this idempotency key can no longer be used.
    for (const _ of [1, 2]) await expect(charge()).rejects.toThrow('answers 500')
    const [real, arrived] = [globalThis.fetch, barrier(2)]
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, options) => {
      if (options?.method === 'POST' && String(url).endsWith('/payment_intents')) await arrived()
      return real(url, options)
    })
    const both = await Promise.all([charge(), charge()])
    expect(new Set(both.map((each) => each?.ref)).size).toBe(1)
    spy.mockRestore()
    await tryAgain(provider, 2)
    expect(charges()).toMatchObject([{ status: 'paid' }])
    expect(await orderStatuses(key)).toEqual(['paid', 'paid'])
  })

  it.each(moments)('a charge is made once even if the process is killed %s each commit', async (moment) => {
    const { key, charges } = await withSavedFailure()
    const [restore, books] = [await takeSnapshot(), structuredClone(provider.standIn.books)]
    let killed = true
    for (let n = 1; killed; n++) {
      await restore()
      Object.assign(provider.standIn.books, structuredClone(books))
      killed = await killedAt(n, moment, () => tryAgain(provider, 3), places())
      await expireLeases()
      await tryAgain(provider, 3)
      expect([n, charges().map(({ status }) => status)]).toEqual([n, ['paid']])
      expect([n, await orderStatuses(key)]).toEqual([n, ['paid', 'paid']])
      expect([n, await brokenInvariants()]).toEqual([n, {}])
      expect(n).toBeLessThan(100)
    }
  })
})

describe.each([
  'testmode_charges_only',
  'capability_not_active',
  'account_invalid',
  'payment_method_unactivated',
  'parameter_missing',
  'parameter_unknown',
])('the account error %s at Stripe delays renewals', (code) => {
  const charged = '/v1/payment_intents'

  it('after an account error, renewals wait until the account is corrected, and the alarm states the error code', async () => {
    const { key, charges, shop } = await aShopOf(provider, 2)
    provider.standIn.refuse(charged, { code })
    await aMonthLater(key)
    await tryAgain(provider, 3)
    expect(await recoveryStatuses(shop.storefrontId)).toEqual([])
    expect(await orderStatuses(key)).toEqual(['pending', 'pending', 'paid', 'paid'])
    expect(await taskErrors()).toEqual([1, 2].map(() => expect.stringContaining(code)))
    expect((await serviceStates()).payments).toMatch(new RegExp(`^refuses charges \\(${code}\\) since 20`))
    expect((await readiness()).payments).toContain(code)
    provider.standIn.refuse(charged, null)
    await tryAgain(provider, 2)
    expect(charges()).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
    expect(await orderStatuses(key)).toEqual(['paid', 'paid', 'paid', 'paid'])
    expect((await serviceStates()).payments).toBe('ok')
    expect(await brokenInvariants()).toEqual({})
  })
})

it('an account error is not shown to the buyer as a decline', async () => {
  const shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  const { id } = await aPlan(shop.testKey, { basePrice: price('10.00') })
  const token = tokenOf((await aCheckout(shop.testKey, id)).links.checkoutUrl.href)
  const buy = () => submitCheckout(token, buyerForm({ paymentMethod: 'creditcard' }), germanVisitor)
  provider.standIn.refuse('/v1/checkout/sessions', { code: 'capability_not_active' })
  for (const _ of [1, 2]) await expect(buy()).rejects.toThrow('capability_not_active')
  expect(await checkoutPage(token, germanVisitor)).toMatchObject({ state: 'open', notice: null })
  expect((await serviceStates()).payments).toContain('refuses first payments (capability_not_active)')
  provider.standIn.refuse('/v1/checkout/sessions', null)
  expect((await buy())?.redirectTo).toMatch(/\/checkout\/cs_live_/)
  expect((await serviceStates()).payments).toBe('ok')
})

it('a refund waits while the balance of the Stripe account is too low', async () => {
  const { key, customers } = await aShopOf(provider, 1)
  const [{ id }] = (await get(key, '/v1/orders?limit=1')).data
  const { body } = await send(`POST /v1/orders/${id}/refunds/full`, { key })
  provider.standIn.refuse('/v1/refunds', { code: 'balance_insufficient' })
  await send('POST /v1/test-helpers/clock/advance', { key, body: { by: 'PT5M' } })
  await runDueTasks(1000)
  await tryAgain(provider, 2)
  expect((await get(key, `/v1/refunds/${body.id}`)).status).toBe('processing')
  expect((await serviceStates()).payments).toContain('refuses refunds (balance_insufficient)')
  provider.standIn.refuse('/v1/refunds', null)
  await tryAgain(provider, 2)
  const sale = provider.payments().find(({ customerRef }) => customers.includes(customerRef))
  expect(provider.refundsOf(sale?.ref ?? '')).toHaveLength(1)
})

it('an API key without the permission to detach payment methods can still charge, and the alarm names the permission', async () => {
  const { key, charges } = await aShopOf(provider, 1)
  const message = "Having the 'rak_payment_method_write' permission would allow this request to continue."
  provider.standIn.refuse('/v1/payment_methods', { status: 403, message })
  const [{ id }] = (await get(key, '/v1/subscriptions')).data
  await aMonthLater(key)
  expect(charges()).toMatchObject([{ status: 'paid' }])
  await send(`DELETE /v1/subscriptions/${id}?immediately=true`, { key })

  await revokeUnusedMandates(new Date('2100-01-01'))
  await runDueTasks(50)
  expect((await serviceStates()).payments).toMatch(/^refuses revoked mandates \(rak_payment_method_write\) since/)
  provider.standIn.refuse('/v1/payment_methods', null)
  await tryAgain(provider, 2)
  expect((await serviceStates()).payments).toBe('ok')
  await pass({ key }, 'PT1H')
})
