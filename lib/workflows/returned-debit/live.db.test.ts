import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMonthLater, aShopOf, jump, newestOnPage, sendNotice, takePaymentsAt } from '../../testing/live-sales.ts'
import { billingToken } from '../../testing/scenarios.ts'
import { buyerForm, germanVisitor, runDueTasks } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { submitBillingUpdate } from '../billing-update/submit-billing-update.ts'
import { findMissedChargebacks } from '../provider-notices/missed.ts'

const started: LiveProvider[] = []
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => Promise.all(started.map((provider) => provider.close())))

describe.each([
  ['Mollie', liveMollie],
  ['Stripe', liveStripe],
] as const)('the order of a returned debit at %s can be paid', (_title, start) => {
  let provider: LiveProvider
  beforeAll(async () => {
    provider = await start()
    started.push(provider)
  })
  beforeEach(() => takePaymentsAt(provider))

  it('the retry of a returned debit is a new charge, and the order is paid when the charge succeeds', async () => {
    const { key, shop, charges } = await aShopOf(provider, 1, 'ideal')
    await aMonthLater(key)
    const [returned] = charges()
    provider.pay(returned?.ref ?? '')
    await pass({ key }, 'PT2H')
    provider.returnDebit(returned?.ref ?? '')
    await findMissedChargebacks()
    await runDueTasks()
    const statuses = async () =>
      (await get(key, '/v1/orders')).data.map(({ status }: { status: string }) => status).reverse()
    expect(await statuses()).toEqual(['paid', 'pending'])
    await jump({ shop }, { days: 2, hours: 1 })
    expect(await statuses()).toEqual(['paid', 'pending'])
    const [, retry, ...others] = charges()
    expect(others).toEqual([])
    expect(retry?.ref).not.toBe(returned?.ref)
    provider.pay(retry?.ref ?? '')
    await pass({ key }, 'PT2H')
    expect(await statuses()).toEqual(['paid', 'paid'])
    expect(await brokenInvariants()).toEqual({})
  })

  it('after the bank returns the direct debit of a first order, a new payment method pays this order', async () => {
    const { key, shop, charges } = await aShopOf(provider, 1, 'ideal')
    const first = newestOnPage(provider)
    // Mollie states the bank's code only for direct debits. We do not offer direct debit at Mollie for a first payment, so the test changes the method.
    for (const payment of 'payments' in provider.books ? provider.books.payments : [])
      if (payment.id === first.ref) payment.method = 'directdebit'
    provider.returnDebit(first.ref)
    await findMissedChargebacks()
    await runDueTasks()
    const statuses = async () =>
      (await get(key, '/v1/orders')).data.map(({ status }: { status: string }) => status).reverse()
    expect(await statuses()).toEqual(['pending'])
    expect(charges()).toEqual([])
    const [{ id }] = (await get(key, '/v1/subscriptions')).data
    const token = await billingToken({ key, id })
    await submitBillingUpdate(token, buyerForm({ paymentMethod: 'creditcard', version: '0' }), germanVisitor)
    const { ref } = newestOnPage(provider)
    provider.pay(ref)
    await sendNotice(provider, provider.noticeOf(ref))
    await runDueTasks()
    const charged = provider.payments().findLast(({ kind }) => kind === 'on a mandate')
    expect(charged?.amount).toBe(first.amount)
    if (charged?.status !== 'paid') provider.pay(charged?.ref ?? '')
    await sendNotice(provider, provider.noticeOf(charged?.ref ?? ''))
    await pass({ key }, 'PT2H')
    expect(await statuses()).toEqual(['paid', 'paid'])
    await findMissedChargebacks()
    await jump({ shop }, { days: 3 })
    expect(await statuses()).toEqual(['paid', 'paid'])
    expect(await brokenInvariants()).toEqual({})
  })
})
