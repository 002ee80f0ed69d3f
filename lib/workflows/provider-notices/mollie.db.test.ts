import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { createMember } from '../../modules/operators/operations.ts'
import { db } from '../../platform/db/db.ts'
import { connectedProviders } from '../../providers/index.ts'
import { resetConnection } from '../../providers/mollie/client.ts'
import { forgetMethods } from '../../providers/mollie/methods.ts'
import { doctor } from '../../server/doctor.ts'
import { send } from '../../testing/api.ts'
import { read } from '../../testing/email-text.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { jump, takePaymentsAt } from '../../testing/live-sales.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type MollieStandIn, startMollie } from '../../testing/stand-ins/mollie.ts'
import { usualMethods } from '../../testing/stand-ins/mollie-methods.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { reconcileNow } from '../reconciliation/daily.ts'
import { checkRenewalLimits } from '../renewal/limits.ts'
import { cancelCheckout } from '../sale/cancel-or-expire.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'

let mollie: MollieStandIn
let shop: Shop
let productId: string

beforeAll(async () => {
  mollie = await startMollie()
  const { apiKey, accessToken, url } = mollie
  takePaymentsAt({ name: 'mollie', account: { apiKey, accessToken, webhookSecret: null, base: url } })
  shop = await aShop({ at: '2027-01-01T00:00:00Z' })
  ;({ id: productId } = await stock.aProduct(shop.testKey))
})
afterAll(() => mollie.close())
afterEach(async () => {
  resetConnection()
  forgetMethods()
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

async function onPage(paymentMethod: string) {
  const checkout = await stock.aCheckout(shop.testKey, productId)
  const form = buyerForm({ paymentMethod, email: `${checkout.id}@example.com` })
  await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), form, germanVisitor)
  const payment = mollie.books.payments.at(-1)
  if (!payment) throw new Error('the stand-in has no payment')
  return { checkout, payment, sync: () => syncWithProvider(shop.scope, payment.id) }
}

async function aPlanOf(basePrice: string, interval = 'month') {
  const { id } = await stock.aPlan(shop.testKey, { basePrice: stock.price(basePrice), interval })
  const checkout = await stock.aCheckout(shop.testKey, id)
  return { checkout, token: tokenOf(checkout.links.checkoutUrl.href) }
}

const methodsOn = async (token: string) => {
  const page = await checkoutPage(token, germanVisitor)
  return page?.state === 'open' ? [...page.quote.methods] : []
}

async function subscribed(basePrice: string, paymentMethod: string, interval?: string) {
  const { checkout, token } = await aPlanOf(basePrice, interval)
  const email = `${checkout.id}@example.com`
  await submitCheckout(token, buyerForm({ paymentMethod, email }), germanVisitor)
  const payment = mollie.books.payments.at(-1)
  if (!payment) throw new Error('the stand-in has no payment')
  mollie.decide(payment.id, 'paid')
  await syncWithProvider(shop.scope, payment.id)
  const [{ id }] = (await get(shop.testKey, '/v1/subscriptions?limit=1')).data
  return { id, payment, resource: () => get(shop.testKey, `/v1/subscriptions/${id}`) }
}

const change = (id: string, body: object) => send(`PATCH /v1/subscriptions/${id}`, { key: shop.testKey, body })

const deletions = () => mollie.requests.filter((each) => each.startsWith('DELETE /v2/payments/')).length

describe('a payment at Mollie', () => {
  it('an order is paid by iDEAL if the buyer switches from card to iDEAL on Mollie’s page', async () => {
    const { checkout, payment, sync } = await onPage('creditcard')
    mollie.decide(payment.id, 'paid', {}, 'ideal')
    await sync()
    const { orderId } = await get(shop.testKey, `/v1/checkouts/${checkout.id}`)
    expect(await get(shop.testKey, `/v1/orders/${orderId}`)).toMatchObject({ status: 'paid', paymentMethod: 'ideal' })
  })

  it.each([
    ['creditcard', 1],
    ['ideal', 0],
  ])('an open payment by %s is canceled at Mollie only if Mollie permits the cancellation', async (method, times) => {
    const { checkout } = await onPage(method)
    const before = deletions()
    await cancelCheckout(shop.scope, checkout.id)
    expect(deletions() - before).toBe(times)
    expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'canceled' })
  })

  it('a payment with an unknown status leaves the checkout open, and the daily comparison lists the payment', async () => {
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
    // The simulated server violates Mollie's API description on purpose, so the recorded violations are discarded.
    mollie.violations.splice(0)
  })
})

describe('the sale of a plan at Mollie', () => {
  it('a plan above 1,000.00 is not sold by iDEAL or Bancontact, whose renewals are direct debits', async () => {
    const { token } = await aPlanOf('1015.79')
    expect((await methodsOn(token)).sort()).toEqual(['creditcard', 'paypal'])
    await submitCheckout(token, buyerForm({ paymentMethod: 'ideal' }), germanVisitor)
    expect(await checkoutPage(token, germanVisitor)).toMatchObject({
      problems: { paymentMethod: { code: 'unavailable' } },
    })
    const { token: cheaper } = await aPlanOf('840.33')
    expect(await methodsOn(cheaper)).toEqual(expect.arrayContaining(['ideal', 'bancontact']))
  })

  it('if Mollie does not state its limit for direct debits, the usual limit applies to the sale of a plan', async () => {
    mollie.failNext(503, { method: 'GET', times: 5 })
    const { token } = await aPlanOf('1015.79')
    expect((await methodsOn(token)).sort()).toEqual(['creditcard', 'paypal'])
  })

  it('the checkout of a plan never offers direct debit, even if the account permits direct debit', async () => {
    mollie.methods = usualMethods.map((each) =>
      each.id === 'directdebit' ? { ...each, sequences: ['oneoff', 'first', 'recurring'] } : each,
    )
    const { token } = await aPlanOf('10.00')
    expect(await methodsOn(token)).not.toContain('directdebit')
    mollie.methods = usualMethods
  })
})

describe('a change of a subscription at Mollie', () => {
  it.each([
    ['price.value', { price: stock.price('900.00') }],
    ['price.value', { price: stock.price('900.00'), applyImmediately: true, invoiceImmediately: true }],
    ['quantity', { quantity: 200 }],
  ])(
    'a change that would lead to a direct debit above Mollie’s limit is refused with an error on the field %s: %j',
    async (field, body) => {
      const { id, resource } = await subscribed('10.00', 'ideal')
      const before = await resource()
      const reply = await change(id, body)
      expect([reply.status, reply.body.errors]).toEqual([422, { [field]: [expect.stringContaining('1000.00 EUR')] }])
      expect(await resource()).toEqual(before)
    },
  )

  it('a subscription by card may have a price above Mollie’s limit for direct debits', async () => {
    const { id } = await subscribed('10.00', 'creditcard')
    expect((await change(id, { price: stock.price('900.00') })).status).toBe(200)
  })
})

describe('a renewal at Mollie', () => {
  it('before a renewal above Mollie’s limit, an email tells the members the limit', async () => {
    const { id, resource } = await subscribed('100.00', 'ideal')
    const { merchant_id: merchantId } = await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })
    await createMember({ email: `${id}@example.com`, password: 'correct horse battery', merchantId, role: 'owner' })
    const emails = async () =>
      (await listEmails(shop.storefrontId)).filter(({ kind }) => kind === 'renewal_uncollectable')
    const { renewedUntil } = await resource()
    const check = () => checkRenewalLimits(shop.scope as never, { subscriptionId: id, endsAt: renewedUntil })
    await check()
    expect(await emails()).toEqual([])
    mollie.methods = usualMethods.map((each) => (each.id === 'directdebit' ? { ...each, most: '50.00' } : each))
    forgetMethods()
    await check()
    const [email] = await emails()
    expect(read(email?.text ?? '')).toMatch(
      /€119\.00 is due[\s\S]*SEPA Direct Debit can collect at most €50\.00 per payment/,
    )
    mollie.methods = usualMethods
  })
})

describe('a mandate that is pending after its sale', () => {
  it('after a sale, a pending mandate is polled until the mandate is valid', async () => {
    mollie.leavesMandatesPending = true
    const { resource, payment } = await subscribed('10.00', 'ideal', 'week')
    mollie.leavesMandatesPending = false
    const charges = () => mollie.books.payments.filter((each) => each.customerId === payment.customerId).length - 1
    expect((await resource()).mandate).toMatchObject({ maskedIdentifier: '****' })
    await jump({ shop }, { days: 8 })
    expect(charges()).toBe(0)
    mollie.settleMandates()
    await pass({ key: shop.testKey }, 'PT2H')
    expect((await resource()).mandate).toEqual({ method: 'sepa_debit', maskedIdentifier: 'NL91****4300' })
    expect(charges()).toBe(1)
    const { mandateReference } = mollie.books.mandates.at(-1) ?? {}
    expect(await db().mandates.findFirst({ where: { reference: mandateReference ?? '' } })).toMatchObject({
      status: 'valid',
    })
  })

  it('the first charge starts a recovery if the pending mandate became invalid before the charge', async () => {
    mollie.leavesMandatesPending = true
    const { id, payment } = await subscribed('10.00', 'ideal', 'week')
    mollie.leavesMandatesPending = false
    for (const mandate of mollie.books.mandates)
      if (mandate.customerId === payment.customerId) mandate.status = 'invalid'
    await jump({ shop }, { days: 8 })
    expect(await db().recoveries.findFirst({ where: { subscription_id: id } })).toMatchObject({
      failure_reason: 'invalid_mandate',
    })
  })
})

describe('the access token of Mollie', () => {
  const ofMollie = async () => (await connectedProviders()).find(({ name }) => name === 'mollie')

  it('a Mollie access token with all permissions has no missing permissions', async () => {
    expect(await (await ofMollie())?.missingPermissions?.()).toEqual([])
  })

  it.each(['settlements.read', 'payments.read', 'refunds.read'])(
    'the missing permission %s of a Mollie access token is reported',
    async (permission) => {
      mollie.permissions.set(permission, false)
      expect(await (await ofMollie())?.missingPermissions?.()).toEqual([permission])
      const settlements = (await doctor()).find(({ check }) => check === 'settlements')
      expect(settlements).toMatchObject({ state: 'look', message: expect.stringContaining(permission) })
      mollie.permissions.set(permission, true)
    },
  )
})
