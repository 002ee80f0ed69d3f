import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { POST as submitForm } from '@/app/(hosted)/checkout/[token]/submit/route.ts'
import { db } from '../../platform/db/db.ts'
import { serviceStates } from '../../providers/index.ts'
import { readiness } from '../../server/readiness.ts'
import { send } from '../../testing/api.ts'
import * as stock from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { liveSales, newestOnPage } from '../../testing/live-sales.ts'
import { buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { type LiveProvider, liveMollie, liveStripe } from '../../testing/stand-ins/live-provider.ts'
import { pass } from '../../testing/subscription-scenario.ts'
import { lastDifferences, lastSettlements, reconcileNow } from '../reconciliation/daily.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { findMissedChargebacks } from './missed.ts'

/** These tests run sales, renewals, refunds, and disputes against a local server that simulates each live provider. */

const sales = liveSales()
const { notify, onPage, paid } = sales
let provider: LiveProvider
let shop: Shop

describe.each([
  ['Mollie', liveMollie],
  ['Stripe', liveStripe],
] as const)('the service compares its books and survives outages at %s', (_title, start) => {
  beforeAll(async () => {
    await sales.start(start)
    ;({ provider, shop } = sales)
  })
  afterEach(() => provider.reset())

  describe('the comparison of our books with the provider’s books', () => {
    const [since, until] = [new Date('2020-01-01'), new Date('2100-01-01')]
    const span = { since, until, settledUntil: new Date(0), settleMs: 0 }
    const differences = async () =>
      (await reconcileNow(span))
        .filter((each) => each.provider === provider.name)
        .map(({ kind, ref, id }) => ({ kind, ref, id }))
    const paymentOf = async (ref: string) => {
      const { id } = await db().payments.findFirstOrThrow({ where: { provider_ref: ref } })
      return id
    }

    it('our books equal the provider’s books after a refunded sale', async () => {
      expect(await differences()).toEqual([])
      const { orderId, payment } = await paid(sales.productId)
      await send(`POST /v1/orders/${orderId}/refunds/full`, { key: shop.testKey })
      await pass({ key: shop.testKey }, 'PT2M')
      for (const refund of provider.refundsOf(payment.ref)) refund.settle()
      await pass({ key: shop.testKey }, 'P1D')
      expect(provider.refundsOf(payment.ref)).toHaveLength(1)
      expect(await differences()).toEqual([])
      expect(await brokenInvariants()).toEqual({})
    })

    it('the comparison of books finds an unknown payment, a missing payment, and an unknown refund', async () => {
      const { payment: unnoticed } = await onPage(sales.productId)
      provider.pay(unnoticed.ref)
      const { payment: refunded } = await paid(sales.productId)
      provider.refundByHand(refunded.ref)
      const { payment: lost } = await paid(sales.productId)
      provider.lose(lost.ref)
      const found = await differences()
      expect(found).toHaveLength(3)
      expect(found).toContainEqual(
        expect.objectContaining({ kind: 'payment_not_posted', id: await paymentOf(unnoticed.ref) }),
      )
      expect(found).toContainEqual(expect.objectContaining({ kind: 'refund_unknown', id: null }))
      expect(found).toContainEqual({ kind: 'payment_not_received', ref: lost.ref, id: await paymentOf(lost.ref) })
      // Polling resolves `payment_not_posted` within a minute. A person must resolve `payment_not_received` and
      // `refund_unknown`.
      await notify(unnoticed.ref)
      await runDueTasks()
      expect((await differences()).map(({ kind }) => kind).sort()).toEqual(['payment_not_received', 'refund_unknown'])
    })

    it('the comparison of books finds a chargeback that is missing in our books', async () => {
      const before = await differences()
      const { payment } = await paid(sales.productId)
      provider.dispute(payment.ref)
      const found = (await differences()).filter((each) => !before.some(({ ref }) => ref === each.ref))
      expect(found).toEqual([{ kind: 'chargeback_unknown', ref: expect.stringContaining(payment.ref), id: null }])
      await findMissedChargebacks()
      await runDueTasks()
      expect(await differences()).toEqual(before)
      provider.winDisputes()
      const [lost] = (await differences()).filter((each) => !before.some(({ ref }) => ref === each.ref))
      expect(lost).toMatchObject({ kind: 'chargeback_outcome', ref: found[0]?.ref, id: expect.any(String) })
      await findMissedChargebacks()
      await runDueTasks()
      expect(await differences()).toEqual(before)
    })

    it('the comparison with settlements finds an unsettled payment and a settlement with a wrong sum', async () => {
      const { payment } = await paid(sales.productId)
      const unsettled = async () =>
        (await reconcileNow({ ...span, settledUntil: until })).filter(({ kind }) => kind === 'payment_not_settled')
      expect((await unsettled()).map(({ ref }) => ref)).toContain(payment.ref)

      const before = await differences()
      const { id, reference } = provider.settlements.settle()
      expect(await differences()).toEqual(before)
      expect((await unsettled()).map(({ ref }) => ref)).not.toContain(payment.ref)
      const [shown] = (await lastSettlements()).filter(({ settlement }) => settlement === id)
      expect(shown).toMatchObject({ provider: provider.name, reference, status: 'paid', currency: 'EUR' })
      const [revenue, costs, amount] = [shown?.revenue, shown?.costs, shown?.amount].map(Number)
      expect(Math.abs((revenue ?? 0) - (costs ?? 0) - (amount ?? 0))).toBeLessThan(0.01)

      provider.settlements.short()
      const isHere = (each: { provider: string }) => each.provider === provider.name
      const sums = (await reconcileNow(span)).filter((each) => isHere(each) && each.kind === 'settlement_sum')
      expect(sums).toEqual([expect.objectContaining({ ref: id, atProvider: expect.stringContaining(reference) })])

      // If settlements cannot be read, the other comparisons and the payments continue.
      provider.settlements.refuse(true)
      expect(await differences()).toEqual(before)
      expect((await lastSettlements()).filter(isHere)).toEqual([])
      expect((await serviceStates()).payments).toBe('ok')
      provider.settlements.refuse(false)
      provider.resetConnection()
    })

    it('the differences from the last comparison of books stay stored if the provider does not respond', async () => {
      const before = await lastDifferences()
      provider.failNext(503, { method: 'GET' })
      await expect(reconcileNow(span)).rejects.toThrow(provider.title)
      expect(await lastDifferences()).toEqual(before)
      provider.resetConnection()
    })
  })

  describe('an outage of the provider', () => {
    it('a form that fails during an outage of the provider can be sent again, and /readyz states the start of the outage', async () => {
      const checkout = await stock.aCheckout(shop.testKey, sales.productId)
      const token = tokenOf(checkout.links.checkoutUrl.href)
      // Runs the waiting tasks first, because their requests would change the reported state of the provider.
      await runDueTasks(10_000)
      provider.failNext(503, { times: 5 })
      for (let each = 0; each < 5; each++)
        await expect(submitCheckout(token, buyerForm(), germanVisitor)).rejects.toThrow(
          new RegExp(`^${provider.title}`),
        )
      expect((await serviceStates()).payments).toMatch(/^answers 503 since 20/)
      expect(await readiness()).toMatchObject({ payments: expect.stringMatching(/^answers 503 since 20/), ready: true })
      const asked = provider.requests()
      await expect(submitCheckout(token, buyerForm(), germanVisitor)).rejects.toThrow(
        `${provider.title} is not asked for another`,
      )
      expect(provider.requests()).toBe(asked)
      const address = `http://billhook.test/checkout/${token}/submit`
      const headers = { 'accept-language': germanVisitor.acceptLanguage ?? '' }
      const body = new URLSearchParams([...buyerForm(), ['lang', 'en']])
      const request = new Request(address, { method: 'POST', headers, body })
      const shown = await submitForm(request, { params: Promise.resolve({ token }) })
      expect([shown.status, await shown.text()]).toEqual([503, expect.stringContaining('nothing was charged for it')])
      provider.resetConnection()
      expect((await submitCheckout(token, buyerForm(), germanVisitor))?.redirectTo).toBe(
        `${provider.url}/checkout/${newestOnPage(provider).ref}`,
      )
      expect((await serviceStates()).payments).toBe('ok')
      expect(await db().orders.count({ where: { checkout_id: checkout.id } })).toBe(1)
      expect(await db().payments.count({ where: { checkout_id: checkout.id } })).toBe(1)
    })
  })
})
