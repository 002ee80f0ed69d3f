import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { createMember } from '../../modules/operators/operations.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { connectedProviders } from '../../providers/index.ts'
import { resetConnection } from '../../providers/mollie/client.ts'
import { forgetMethods } from '../../providers/mollie/methods.ts'
import { registry } from '../../providers/registry.ts'
import { doctor } from '../../server/doctor.ts'
import { send } from '../../testing/api.ts'
import { read } from '../../testing/email-text.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type MollieStandIn, startMollie } from '../../testing/stand-ins/mollie.ts'
import { usualMethods } from '../../testing/stand-ins/mollie-methods.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { reconcileNow } from '../reconciliation/daily.ts'
import { checkRenewalLimits } from '../renewal/limits.ts'
import { cancelCheckout } from '../sale/cancel-or-expire.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { submit } from '../sale/submit-checkout.ts'

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

async function aPlanOf(basePrice: string) {
  const { id } = await stock.aPlan(shop.testKey, { basePrice: stock.price(basePrice) })
  const checkout = await stock.aCheckout(shop.testKey, id)
  return { checkout, token: tokenOf(checkout.links.checkoutUrl.href) }
}

const methodsOn = async (token: string) => {
  const page = await checkoutPage(token, germanVisitor)
  return page?.state === 'open' ? [...page.quote.methods] : []
}

async function subscribed(basePrice: string, paymentMethod: string) {
  const { checkout, token } = await aPlanOf(basePrice)
  const email = `${checkout.id}@example.com`
  await submit(token, buyerForm({ paymentMethod, email }), germanVisitor)
  const payment = mollie.books.payments.at(-1)
  if (!payment) throw new Error('the stand-in has no payment')
  mollie.decide(payment.id, 'paid')
  await syncWithProvider(shop.scope, payment.id)
  const [{ id }] = (await get(shop.testKey, '/v1/subscriptions?limit=1')).data
  return { id, payment, resource: () => get(shop.testKey, `/v1/subscriptions/${id}`) }
}

const change = (id: string, body: object) => send(`PATCH /v1/subscriptions/${id}`, { key: shop.testKey, body })

const deletions = () => mollie.requests.filter((each) => each.startsWith('DELETE /v2/payments/')).length

describe('a payment', () => {
  it('a payment opened for a card and paid by iDEAL is an order paid by iDEAL', async () => {
    const { checkout, payment, sync } = await onPage('creditcard')
    mollie.decide(payment.id, 'paid', {}, 'ideal')
    await sync()
    const { orderId } = await get(shop.testKey, `/v1/checkouts/${checkout.id}`)
    expect(await get(shop.testKey, `/v1/orders/${orderId}`)).toMatchObject({ status: 'paid', paymentMethod: 'ideal' })
  })

  it.each([
    ['creditcard', 1],
    ['ideal', 0],
  ])('a payment by %s is canceled at Mollie only if Mollie allows it', async (method, times) => {
    const { checkout } = await onPage(method)
    const before = deletions()
    await cancelCheckout(shop.scope, checkout.id)
    expect(deletions() - before).toBe(times)
    expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'canceled' })
  })

  it('a payment with an unknown status stays undecided, and the daily comparison lists it', async () => {
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
    // In this test the stand-in deliberately differs from Mollie's description.
    mollie.violations.splice(0)
  })
})

describe('a plan', () => {
  it('a plan above 1,000.00 is not sold by iDEAL or Bancontact, which renew by direct debit', async () => {
    const { token } = await aPlanOf('1015.79')
    expect((await methodsOn(token)).sort()).toEqual(['creditcard', 'paypal'])
    await submit(token, buyerForm({ paymentMethod: 'ideal' }), germanVisitor)
    expect(await checkoutPage(token, germanVisitor)).toMatchObject({
      problems: { paymentMethod: { code: 'unavailable' } },
    })
    const { token: cheaper } = await aPlanOf('840.33')
    expect(await methodsOn(cheaper)).toEqual(expect.arrayContaining(['ideal', 'bancontact']))
  })

  it('a plan is sold within the usual limit if Mollie does not state its limits', async () => {
    mollie.failNext(503, { method: 'GET', times: 5 })
    const { token } = await aPlanOf('1015.79')
    expect((await methodsOn(token)).sort()).toEqual(['creditcard', 'paypal'])
  })

  it('a plan is never sold by direct debit on a page, whatever methods the account lists', async () => {
    mollie.methods = usualMethods.map((each) =>
      each.id === 'directdebit' ? { ...each, sequences: ['oneoff', 'first', 'recurring'] } : each,
    )
    const { token } = await aPlanOf('10.00')
    expect(await methodsOn(token)).not.toContain('directdebit')
    mollie.methods = usualMethods
  })
})

describe('a change', () => {
  it.each([
    ['price.value', { price: stock.price('900.00') }],
    ['price.value', { price: stock.price('900.00'), applyImmediately: true, invoiceImmediately: true }],
    ['quantity', { quantity: 200 }],
  ])('a direct debit above Mollie’s limit is refused on %s: %j', async (field, body) => {
    const { id, resource } = await subscribed('10.00', 'ideal')
    const before = await resource()
    const reply = await change(id, body)
    expect([reply.status, reply.body.errors]).toEqual([422, { [field]: [expect.stringContaining('1000.00 EUR')] }])
    expect(await resource()).toEqual(before)
  })

  it('a subscription by card is changed to the same price', async () => {
    const { id } = await subscribed('10.00', 'creditcard')
    expect((await change(id, { price: stock.price('900.00') })).status).toBe(200)
  })
})

describe('a renewal', () => {
  it('a renewal that Mollie would refuse is emailed to the members before, with the limit', async () => {
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

describe('a mandate that is pending at its sale', () => {
  it('a mandate pending at its sale is read until it is valid, before its first charge', async () => {
    mollie.leavesMandatesPending = true
    const { resource, payment } = await subscribed('10.00', 'ideal')
    mollie.leavesMandatesPending = false
    const charges = () => mollie.books.payments.filter((each) => each.customerId === payment.customerId).length - 1
    expect((await resource()).mandate).toMatchObject({ maskedIdentifier: '****' })
    // The renewal waits for the mandate.
    await pass({ key: shop.testKey }, 'P32D')
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

  it('a mandate that ends before it is valid begins a recovery with the first charge', async () => {
    mollie.leavesMandatesPending = true
    const { id, payment } = await subscribed('10.00', 'ideal')
    mollie.leavesMandatesPending = false
    for (const mandate of mollie.books.mandates)
      if (mandate.customerId === payment.customerId) mandate.status = 'invalid'
    await pass({ key: shop.testKey }, 'P32D')
    expect(await db().recoveries.findFirst({ where: { subscription_id: id } })).toMatchObject({
      failure_reason: 'invalid_mandate',
    })
  })
})

describe('the access token', () => {
  const ofMollie = async () => (await connectedProviders()).find(({ name }) => name === 'mollie')

  it('a complete access token lacks no permission', async () => {
    expect(await (await ofMollie())?.missingPermissions?.()).toEqual([])
  })

  it.each(['settlements.read', 'payments.read', 'refunds.read'])('the access token lacks %s', async (permission) => {
    mollie.permissions.set(permission, false)
    expect(await (await ofMollie())?.missingPermissions?.()).toEqual([permission])
    const settlements = (await doctor()).find(({ check }) => check === 'settlements')
    expect(settlements).toMatchObject({ state: 'look', message: expect.stringContaining(permission) })
    mollie.permissions.set(permission, true)
  })
})
