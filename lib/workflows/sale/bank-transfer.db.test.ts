import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listEmails } from '../../modules/emails/operations.ts'
import { resetConnection } from '../../providers/mollie/client.ts'
import { forgetMethods } from '../../providers/mollie/methods.ts'
import { read } from '../../testing/email-text.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { jump, takePaymentsAt } from '../../testing/live-sales.ts'
import { aShop, buyerForm, germanVisitor, type Shop, tokenOf } from '../../testing/shop.ts'
import { type MollieStandIn, startMollie } from '../../testing/stand-ins/mollie.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { syncWithProvider } from '../../testing/sync-payment.ts'
import { checkoutPage } from './load-checkout.ts'
import { afterReturn, submitCheckout } from './submit-checkout.ts'

let mollie: MollieStandIn
let shop: Shop

beforeAll(async () => {
  mollie = await startMollie()
  const { apiKey, accessToken, url } = mollie
  takePaymentsAt({ name: 'mollie', account: { apiKey, accessToken, webhookSecret: null, base: url } })
})
afterAll(() => mollie.close())
afterEach(async () => {
  resetConnection()
  forgetMethods()
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

async function aCheckoutFor(makes: typeof stock.aProduct) {
  shop = await aShop()
  const { id } = await makes(shop.testKey, { basePrice: stock.price('100.00') })
  const checkout = await stock.aCheckout(shop.testKey, id)
  return { checkout, token: tokenOf(checkout.links.checkoutUrl.href) }
}

const methodsOn = async (token: string) => {
  const page = await checkoutPage(token, germanVisitor)
  return page?.state === 'open' ? page.quote.methods : []
}

async function aTransfer() {
  const { checkout, token } = await aCheckoutFor(stock.aProduct)
  const sent = await submitCheckout(token, buyerForm({ paymentMethod: 'banktransfer' }), germanVisitor)
  const payment = mollie.books.payments.at(-1)
  if (!payment) throw new Error('the stand-in has no payment')
  const after = await afterReturn(token)
  const order = async () => (await get(shop.testKey, '/v1/orders')).data[0]
  const emails = async () =>
    (await listEmails(shop.storefrontId)).filter(({ kind }) => kind === 'transfer_instructions')
  return { checkout, token, sent, after, payment, order, emails, sync: () => syncWithProvider(shop.scope, payment.id) }
}

describe('the methods bank transfer and pay by bank', () => {
  it('bank transfer and pay by bank are offered for one-off sales, after all other methods', async () => {
    const { token } = await aCheckoutFor(stock.aProduct)
    expect((await methodsOn(token)).slice(-2)).toEqual(['banktransfer', 'paybybank'])
  })

  it('bank transfer and pay by bank are neither offered nor accepted for a plan', async () => {
    const { token } = await aCheckoutFor(stock.aPlan)
    const offered = await methodsOn(token)
    expect(offered.filter((method) => method === 'banktransfer' || method === 'paybybank')).toEqual([])
    await submitCheckout(token, buyerForm({ paymentMethod: 'paybybank' }), germanVisitor)
    expect(await checkoutPage(token, germanVisitor)).toMatchObject({
      problems: { paymentMethod: { code: 'unavailable' } },
    })
  })

  it('bank transfer is not offered if the provider account does not support bank transfers', async () => {
    const usual = mollie.methods
    mollie.methods = usual.filter(({ id }) => id !== 'banktransfer')
    const { token } = await aCheckoutFor(stock.aProduct)
    expect(await methodsOn(token)).not.toContain('banktransfer')
    mollie.methods = usual
  })
})

describe('a bank transfer', () => {
  it('while a bank transfer is pending, the order is pending, and the checkout page and an email show the bank details', async () => {
    const { checkout, token, sent, after, payment, order, emails, sync } = await aTransfer()
    expect(sent?.redirectTo).toMatch(/\/checkout\/[^/]+\/return$/)
    expect(after).toBe(`/checkout/${token}`)
    const transfer = { account: 'NL53ABNA0627535577', bic: 'ABNANL2A', reference: 'RF12-3456-7890-1234' }
    const page = await checkoutPage(token, germanVisitor)
    expect(page).toMatchObject({ state: 'pending', transfer, total: { value: '119.00' } })
    const days = (Date.parse(payment.expiresAt ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBeGreaterThanOrEqual(14)
    expect(await order()).toMatchObject({ status: 'pending', invoiceNumber: null })
    expect(read((await emails())[0]?.text ?? '')).toMatch(/NL53ABNA0627535577[\s\S]*RF12-3456-7890-1234/)

    mollie.decide(payment.id, 'paid')
    await sync()
    expect(await order()).toMatchObject({ status: 'paid', paymentMethod: 'banktransfer' })
    expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'paid' })
    await pass({ key: shop.testKey }, 'P8D')
    expect(await emails()).toHaveLength(1)
  })

  it('an unpaid bank transfer causes two reminder emails, and the checkout expires when the transfer expires', async () => {
    const { checkout, payment, order, emails, sync } = await aTransfer()
    const sentAfter = async (days: number) => {
      await jump({ shop }, { days })
      return (await emails()).length
    }
    expect([await sentAfter(2), await sentAfter(2), await sentAfter(4), await sentAfter(5)]).toEqual([1, 2, 3, 3])
    expect(await order()).toMatchObject({ status: 'pending' })
    mollie.decide(payment.id, 'expired')
    await sync()
    await pass({ key: shop.testKey }, 'P3D')
    expect(await order()).toMatchObject({ status: 'expired' })
    expect(await get(shop.testKey, `/v1/checkouts/${checkout.id}`)).toMatchObject({ status: 'expired' })
  })
})
