import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { serviceProblems } from '../../platform/outbound/service-problems.ts'
import { serviceStates } from '../../providers/index.ts'
import { doctor } from '../../server/doctor.ts'
import { send } from '../../testing/api.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { aMonthLater, aShopOf, failures, liveSales, newestOnPage, tryAgain } from '../../testing/live-sales.ts'
import { buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { checkAccounts } from '../provider-accounts/fit.ts'
import { lastDifferences, reconcileNow } from '../reconciliation/daily.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { hold, release } from '../transfer/hold.ts'
import { findMissedChargebacks } from './missed.ts'

const sales = liveSales()
const { notify, paid } = sales
let provider: LiveProvider
let shop: Shop

const recoveriesOf = async ({ storefrontId }: Shop) =>
  (await db().recoveries.findMany({ where: { storefront_id: storefrontId } })).map((each) => each.failure_reason)

function answering(answer: (url: string, body: string) => Response | null) {
  const real = globalThis.fetch
  const spy = vi.spyOn(globalThis, 'fetch')
  spy.mockImplementation(async (url, options) => {
    const isPost = options?.method === 'POST'
    return (isPost && answer(String(url), String(options?.body ?? ''))) || real(url, options)
  })
  return { [Symbol.dispose]: () => spy.mockRestore() }
}

const refusal = (status: number, body: object) =>
  new Response(JSON.stringify({ status, ...body }), { status, headers: { 'content-type': 'application/json' } })

describe.each([
  ['Mollie', liveMollie],
  ['Stripe', liveStripe],
] as const)('the service recovers from rare failures at %s', (_title, start) => {
  beforeAll(async () => {
    await sales.start(start)
    ;({ provider, shop } = sales)
  })
  afterEach(async () => {
    provider.reset()
    await db().tasks.deleteMany({ where: { last_error: { not: null } } })
  })

  it.each([1, 2])(
    'if a customer is deleted at the provider, only the renewal of this customer starts a recovery (due renewals: %s)',
    async (many) => {
      const { key, shop, customers } = await aShopOf(provider, many)
      const address = `${provider.url}/${provider.name === 'mollie' ? 'v2' : 'v1'}/customers/${customers[0]}`
      const headers = { authorization: `Bearer ${provider.account.apiKey}` }
      expect((await fetch(address, { method: 'DELETE', headers })).ok).toBe(true)
      await aMonthLater(key)
      for (const _ of [1, 2, 3]) await tryAgain(provider)
      expect(await recoveriesOf(shop)).toEqual(['invalid_mandate'])
      expect(await failures()).toEqual([])
    },
  )

  it('while the API key belongs to another provider account, renewals wait until the correct key is restored', async () => {
    const { key, charges, shop } = await aShopOf(provider, 2)
    const right = provider
    const other = await (provider.name === 'mollie' ? liveMollie() : liveStripe())
    onTestFinished(() => other.close())
    const use = ({ account }: LiveProvider) => {
      Object.assign(config(), { [provider.name]: account })
      provider.resetConnection()
    }
    use(other)
    await expect(checkAccounts()).rejects.toThrow('of another account')
    expect((await serviceStates()).payments).toContain('has the API key of another account')
    expect((await doctor()).find(({ check }) => check === 'payments')).toMatchObject({ state: 'missing' })
    serviceProblems().forget()
    await db().service_problems.deleteMany()
    await aMonthLater(key)
    for (const _ of [1, 2]) await tryAgain(provider)
    expect(await recoveriesOf(shop)).toEqual([])
    expect(await failures()).toEqual(
      [1, 2].map(() => ['subscription.charge', expect.stringContaining('another account')]),
    )
    expect((await serviceStates()).payments).toContain('has the API key of another account')
    use(right)
    await tryAgain(provider)
    expect(charges()).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
    await checkAccounts()
    expect((await serviceStates()).payments).toBe('ok')
  })

  it('a buyer can pay if the provider refuses the email address, and sees an error if the provider refuses any new customer', async () => {
    const key = shop.testKey
    const asked: string[] = []
    const buy = async (email: string) => {
      const checkout = await stock.aCheckout(key, sales.planId)
      const token = tokenOf(checkout.links.checkoutUrl.href)
      const sent = await submitCheckout(token, buyerForm({ paymentMethod: 'creditcard', email }), germanVisitor)
      return { token, checkout, redirectTo: sent?.redirectTo }
    }
    const refused =
      provider.name === 'mollie'
        ? () => refusal(422, { field: 'email', detail: 'The email address is invalid' })
        : () => refusal(400, { error: { type: 'invalid_request_error', code: 'email_invalid', param: 'email' } })
    {
      using _ = answering((url, body) => {
        if (!url.endsWith('/customers')) return null
        asked.push(body)
        return body.includes('email') ? refused() : null
      })
      for (const email of ['jörg@example.com', 'joerg@example.com'])
        expect((await buy(email)).redirectTo).toBe(`${provider.url}/checkout/${newestOnPage(provider).ref}`)
      expect(asked).toHaveLength(3)
    }
    const before = newestOnPage(provider).ref
    {
      using _ = answering((url) => (url.endsWith('/customers') ? refused() : null))
      const { token, checkout, redirectTo } = await buy('mario@example.com')
      expect(redirectTo).toBe(new URL(checkout.links.checkoutUrl.href).pathname)
      expect(await checkoutPage(token, germanVisitor)).toMatchObject({
        state: 'open',
        form: { email: 'mario@example.com' },
        notice: { kind: 'declined', reason: 'general_failure' },
      })
      expect(newestOnPage(provider).ref).toBe(before)
      expect(await brokenInvariants()).toEqual({})
    }
  })

  it.runIf(start === liveMollie)(
    'if Mollie refuses a charge because of an error in our account, the charge is made after the account is corrected',
    async () => {
      const { key, shop, charges } = await aShopOf(provider, 2)
      {
        using _ = answering((url) =>
          url.endsWith('/v2/payments')
            ? refusal(422, { field: 'webhookUrl', detail: 'The webhook URL is invalid' })
            : null,
        )
        await aMonthLater(key)
        await tryAgain(provider)
        expect(await recoveriesOf(shop)).toEqual([])
        const why = 'Mollie answered 422 to POST payments, because of webhookUrl'
        expect(await failures()).toEqual([
          ['subscription.charge', expect.stringContaining(why)],
          ['subscription.charge', expect.stringContaining(why)],
        ])
        await db().$executeRaw`UPDATE mollie_payments SET asked_at = asked_at - interval '8 days'
        WHERE payment_id = (SELECT max(id) FROM payments
          WHERE storefront_id = ${shop.storefrontId} AND status = 'created')`
        await tryAgain(provider)
        expect(await recoveriesOf(shop)).toEqual(['general_failure'])
      }
      await tryAgain(provider)
      expect(charges()).toMatchObject([{ status: 'paid' }])
      expect(await failures()).toEqual([])
    },
  )

  it('the daily comparison with the provider reports an unknown storefront once, and never reports a storefront on hold', async () => {
    const always = { since: new Date('2020-01-01'), until: new Date('2100-01-01') }
    const span = { ...always, settledUntil: new Date(0), settleMs: 0 }
    const differences = async () =>
      (await reconcileNow(span)).flatMap((each) => (each.provider === provider.name ? each.kind : [])).sort()
    const { payment } = await paid(sales.productId)
    const before = await differences()
    const elsewhere = { payment: 'payment_0000000000000000000001', storefront: 'storefront_0000000000000000000009' }
    const { books } = provider
    if ('sessions' in books) {
      const intent = books.sessions.find(({ id }) => id === payment.ref)?.payment_intent
      const made = books.intents.find(({ id }) => id === intent)
      if (made) books.intents.push({ ...made, id: 'pi_elsewhere1', metadata: elsewhere })
    } else {
      const made = books.payments.find(({ id }) => id === payment.ref)
      if (made) books.payments.push({ ...made, id: 'tr_elsewhere1', metadata: elsewhere })
    }
    expect(await differences()).toEqual([...before, 'storefront_unknown'].sort())
    expect(await lastDifferences()).toContainEqual(
      expect.objectContaining({ id: elsewhere.storefront, atProvider: 'payments: 1, refunds: 0' }),
    )
    // A storefront on hold may have moved. Another installation then makes the refunds of the storefront at the
    // provider, so the comparison must not report these refunds.
    provider.refundByHand(payment.ref)
    expect(await differences()).toEqual([...before, 'refund_unknown', 'storefront_unknown'].sort())
    await hold(shop.storefrontId)
    expect(await differences()).toEqual([...before, 'storefront_unknown'].sort())
    await release(shop.storefrontId)
    expect(await differences()).toEqual([...before, 'refund_unknown', 'storefront_unknown'].sort())
  })

  // The test runs only for Mollie, because Stripe does not accept a payment on an abandoned page.
  it.runIf(start === liveMollie)(
    'if a buyer pays on an abandoned page, the mandate is revoked, and the daily comparison reports a dispute of the payment',
    async () => {
      const checkout = await stock.aCheckout(shop.testKey, sales.planId)
      const token = tokenOf(checkout.links.checkoutUrl.href)
      await submitCheckout(token, buyerForm({ paymentMethod: 'ideal' }), germanVisitor)
      const late = newestOnPage(provider)
      await submitCheckout(token, buyerForm({ paymentMethod: 'creditcard' }), germanVisitor)
      const card = newestOnPage(provider)
      for (const { ref } of [card, late]) {
        provider.pay(ref)
        await notify(ref)
        await runDueTasks()
      }
      for (const refund of provider.refundsOf(late.ref)) refund.settle()
      await pass({ key: shop.testKey }, 'PT10M')
      expect(await db().payments.findFirst({ where: { provider_ref: late.ref } })).toMatchObject({
        returned_at: expect.any(Date),
      })
      expect(provider.mandatesOf(late.customerRef)).toEqual([])
      expect(provider.mandatesOf(card.customerRef)).toHaveLength(1)

      provider.dispute(late.ref)
      await findMissedChargebacks()
      await runDueTasks()
      expect(await failures()).toEqual([])
      const span = { since: new Date('2020-01-01'), until: new Date('2100-01-01'), settledUntil: new Date(0) }
      const found = await reconcileNow({ ...span, settleMs: 0 })
      expect(found.filter(({ kind }) => kind === 'chargeback_unknown')).toMatchObject([
        { ref: expect.stringContaining(late.ref) },
      ])
    },
  )

  it.runIf(start === liveMollie)(
    'if Mollie refuses a second refund of the same amount as a duplicate, no outage is reported',
    async () => {
      const { orderId, payment } = await paid(sales.productId)
      const itemId = (await get(shop.testKey, `/v1/orders/${orderId}`)).lines[0].id
      let conflicts = 0
      const body = { items: [{ itemId, amount: stock.price('5.00') }] }
      {
        using _ = answering((url) => {
          if (!url.endsWith('/refunds') || provider.refundsOf(payment.ref).length === 0) return null
          conflicts++
          return refusal(409, { title: 'Conflict', detail: 'A duplicate refund has been detected' })
        })
        for (const _ of [1, 2])
          expect((await send(`POST /v1/orders/${orderId}/refunds`, { key: shop.testKey, body })).status).toBe(201)
        await pass({ key: shop.testKey }, 'PT65S')
        // After a response with a conflict, Mollie's client repeats the request three times, so the server gets four
        // requests.
        expect(conflicts).toBe(4)
        expect((await serviceStates()).payments).toBe('ok')
        expect(provider.refundsOf(payment.ref)).toHaveLength(1)
        // The service requests the second refund again later, because Mollie may still be processing the first request.
        expect(await failures()).toEqual([])
        const sending = { name: 'refund.send', storefront_id: shop.storefrontId }
        expect(await db().tasks.count({ where: sending })).toBe(2)
      }
      await pass({ key: shop.testKey }, 'PT1M')
      expect(provider.refundsOf(payment.ref)).toHaveLength(2)
    },
  )
})
