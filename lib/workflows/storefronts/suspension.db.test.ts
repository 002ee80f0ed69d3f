import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as admin from '../../admin/pages.ts'
import { auditLog, verifyAudit } from '../../modules/audit/operations.ts'
import { db } from '../../platform/db/db.ts'
import { runBatch } from '../../platform/jobs/run-task.ts'
import { claimDueTasks } from '../../platform/jobs/worker.ts'
import { jobs } from '../../server/jobs.ts'
import { send } from '../../testing/api.ts'
import { copySale, jumpClock } from '../../testing/bulk.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { jump } from '../../testing/live-sales.ts'
import { anOperator } from '../../testing/operator.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { billingToken, chooseMethod, failNextRenewal } from '../../testing/scenarios.ts'
import { aShop, buyerForm, germanVisitor, type Shop, tokenOf } from '../../testing/shop.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { checkoutPage } from '../sale/load-checkout.ts'
import { quote } from '../sale/load-quote.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { pauseTyped, unpauseTyped } from '../subscription-change/operations.ts'
import { declineMandate } from '../test-helpers/mandates.ts'
import { chooseOutcome } from '../test-payment-page/submit-test-payment.ts'

/** These tests check the effects of a suspension (docs/decisions/0017-suspended-storefronts.md). */

let cookies: string | null = null

beforeAll(async () => {
  ;({ cookies } = await anOperator('suspender@example.com'))
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const at = ({ storefrontId }: Shop, mode = 'live') => ({ mode, storefrontId })
const key = () => crypto.randomUUID()
const sent = (shop: Shop, fields: Record<string, string>) =>
  admin.submitSuspension(at(shop), new URLSearchParams({ key: key(), ...fields }), cookies)
const suspend = async (shop: Shop) =>
  expect((await sent(shop, { intent: 'suspend', reason: 'Suspected fraud' }))?.redirectTo).toMatch(/done=suspend$/)
const resume = async (shop: Shop) =>
  expect((await sent(shop, { intent: 'resume' }))?.redirectTo).toMatch(/done=resume$/)

const refused = { status: 403, body: { code: 'storefront_suspended' } }
const open = async (shop: Shop) => {
  const { id: productId } = await factories.aProduct(shop.testKey)
  const { id, links } = await factories.aCheckout(shop.testKey, productId)
  return { id, productId, token: tokenOf(links.checkoutUrl.href) }
}
const state = async (token: string) => (await checkoutPage(token, germanVisitor))?.state
const begun = ({ storefrontId }: Shop) => db().payments.count({ where: { storefront_id: storefrontId } })

describe('the form that suspends a storefront', () => {
  test('the admin form suspends and resumes a storefront, with one audit entry each, and members see the reason', async () => {
    const shop = await aShop()
    const form = new URLSearchParams({ intent: 'suspend', reason: ' Suspected fraud ', key: key() })
    const next = await Promise.all([1, 2, 3].map(() => admin.submitSuspension(at(shop), form, cookies)))
    expect(next.map((each) => each?.redirectTo.split('?')[1])).toContain('done=suspend')
    expect(await auditLog(null, 1)).toMatchObject([
      { action: 'storefront.suspend', subject: shop.storefrontId, actor: { kind: 'operator' }, after: null },
    ])
    for (const mode of ['test', 'live'])
      expect((await admin.storefrontFrame(at(shop, mode), cookies))?.storefront).toMatchObject({
        suspension: { reason: 'Suspected fraud', since: expect.stringMatching(/Z$/) },
      })
    expect((await admin.storefrontsPage({}, cookies))?.rows[0]).toMatchObject({ isSuspended: true })
    // The form is from another person, who opened it before the suspension.
    expect((await sent(shop, { intent: 'suspend', reason: 'Other' }))?.redirectTo).toMatch(/failed=illegal_move$/)
    await resume(shop)
    expect(await auditLog(null, 1)).toMatchObject([{ action: 'storefront.resume', subject: shop.storefrontId }])
    expect((await admin.suspensionPage(at(shop), null, cookies))?.suspension).toBeNull()
    expect((await sent(shop, { intent: 'resume' }))?.redirectTo).toMatch(/failed=illegal_move$/)
    expect((await admin.storefrontFrame(at(shop), cookies))?.storefront?.suspension).toBeNull()
  })

  test.each(['', '  ', 'x'.repeat(501), 'a\u0000b'])('the reason %j for a suspension is refused', async (reason) => {
    const shop = await aShop()
    const next = await sent(shop, { intent: 'suspend', reason })
    const left = `${cookies}; ${next?.cookie?.split(';')[0]}`
    const formId = new URL(next?.redirectTo ?? '', 'http://localhost').searchParams.get('form')
    expect(await admin.suspensionPage(at(shop), formId, left)).toMatchObject({
      suspension: null,
      problem: 'Must have 1 to 500 characters.',
      reason,
    })
  })
})

describe('a suspended storefront', () => {
  test('a suspended storefront cannot create a checkout, but other storefronts can', async () => {
    const [shop, other] = [await aShop(), await aShop({ name: 'Another one' })]
    const { productId } = await open(shop)
    await suspend(shop)
    // After the refusal, the idempotency key can be used again.
    const headers = { 'idempotency-key': 'the-same' }
    const create = (key: string, id: string) =>
      send('POST /v1/checkouts', { key, headers, body: factories.checkoutBody(id) })
    expect(await create(shop.testKey, productId)).toMatchObject(refused)
    const live = await factories.aProduct(shop.liveKey)
    expect(await create(shop.liveKey, live.id)).toMatchObject(refused)
    await open(other)
    await resume(shop)
    expect(await create(shop.testKey, productId)).toMatchObject({ status: 201 })
  })

  test('the checkout page of a suspended storefront has the state "suspended" and starts no payment', async () => {
    const shop = await aShop()
    const { token } = await open(shop)
    await suspend(shop)
    expect(await state(token)).toBe('suspended')
    expect(await quote(token, new URLSearchParams({ country: 'DE' }), germanVisitor)).toBeNull()
    expect((await submitCheckout(token, buyerForm(), germanVisitor))?.redirectTo).toMatch(/^\/checkout\//)
    expect(await begun(shop)).toBe(0)
    await resume(shop)
    expect(await state(token)).toBe('open')
    expect((await submitCheckout(token, buyerForm(), germanVisitor))?.redirectTo).toMatch(/^\/pay\//)
    expect(await begun(shop)).toBe(1)
  })

  test('a buyer can cancel a checkout of a suspended storefront', async () => {
    const shop = await aShop()
    const { token } = await open(shop)
    await suspend(shop)
    const next = await submitCheckout(token, new URLSearchParams({ intent: 'cancel' }), germanVisitor)
    expect(next?.redirectTo).toMatch(/^https:/)
    expect(await state(token)).toBe('canceled')
  })

  test('a suspended storefront accepts a payment if the buyer was already on the provider’s page', async () => {
    const shop = await aShop()
    const { id, token } = await open(shop)
    const next = await submitCheckout(token, buyerForm(), germanVisitor)
    await suspend(shop)
    expect(await state(token)).toBe('suspended')
    await chooseOutcome(tokenOf(next?.redirectTo ?? ''), new URLSearchParams({ outcome: 'paid' }))
    await drainTasks()
    expect((await send(`GET /v1/checkouts/${id}`, { key: shop.testKey })).body).toMatchObject({ status: 'paid' })
    expect(await state(token)).toBe('paid')
    expect(await ordersOf({ key: shop.testKey } as Scenario)).toMatchObject([{ status: 'paid' }])
  })

  test('if a storefront is suspended while checkout forms are sent, no payment starts after the suspension', async () => {
    const shop = await aShop()
    const checkouts = await Promise.all([open(shop), open(shop), open(shop)])
    const lock = { sql: 'SELECT 1 FROM storefronts WHERE id = $1 FOR UPDATE', values: [shop.storefrontId] }
    const submits = checkouts.map(
      ({ token }) =>
        () =>
          submitCheckout(token, buyerForm(), germanVisitor),
    )
    const form = new URLSearchParams({ intent: 'suspend', reason: 'Fraud', key: key() })
    await raceBehind(lock, [() => admin.submitSuspension(at(shop), form, cookies), ...submits], 1)
    const before = await begun(shop)
    for (const { token } of checkouts) await submitCheckout(token, buyerForm(), germanVisitor)
    expect(await begun(shop)).toBe(before)
    for (const { token } of checkouts) expect(await state(token)).toBe('suspended')
  })

  test('a suspended storefront can refund payments, cancel subscriptions, and retry failed payments', async () => {
    const scenario = await failNextRenewal(await subscriptionScenario(), 'insufficient_funds')
    await suspend(scenario.shop)
    const [first, owed] = await ordersOf(scenario)
    expect(owed).toMatchObject({ status: 'pending' })
    const refund = await send(`POST /v1/orders/${first.id}/refunds`, {
      key: scenario.key,
      body: { items: [{ itemId: first.lines[0].id, amount: factories.price('1.00') }] },
    })
    expect(refund).toMatchObject({ status: 201 })
    await chooseMethod(await billingToken(scenario), 'paypal')
    await drainTasks()
    expect((await ordersOf(scenario))[1]).toMatchObject({ status: 'paid' })
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    expect((await subscriptionOf(scenario)).status).toBe('on_grace_period')
    await pass(scenario, 'P2M')
    expect((await subscriptionOf(scenario)).status).toBe('canceled')
  })

  test('a suspended storefront refuses a change with an immediate charge, but accepts a scheduled change', async () => {
    const scenario = await subscriptionScenario()
    await pass(scenario, 'P10D')
    await suspend(scenario.shop)
    const change = (body: object) =>
      send(`PATCH /v1/subscriptions/${scenario.id}`, { key: scenario.key, body: { quantity: 3, ...body } })
    expect(await change({ applyImmediately: true, invoiceImmediately: true })).toMatchObject(refused)
    expect(await subscriptionOf(scenario)).toMatchObject({ quantity: 1 })
    expect((await change({})).status).toBe(200)
    expect(await ordersOf(scenario)).toHaveLength(1)
  })

  test('a suspended storefront refuses an early renewal, and refuses to end a pause if a charge would follow', async () => {
    const scenario = await subscriptionScenario()
    const path = `POST /v1/test-helpers/subscriptions/${scenario.id}/fast-forward-renewal`
    const forward = () => send(path, { key: scenario.key, body: { paymentStatus: 'paid' } })
    expect((await forward()).status).toBeLessThan(300)
    await suspend(scenario.shop)
    await db().$executeRaw`UPDATE tasks SET run_at = date_trunc('milliseconds', now()) WHERE name LIKE '%fast_forward%'`
    await drainTasks()
    expect(await ordersOf(scenario)).toHaveLength(1)
    expect(await forward()).toMatchObject(refused)
    await pauseTyped(scenario.id)
    await pass(scenario, 'P2M')
    await expect(unpauseTyped(scenario.id)).rejects.toMatchObject({ code: 'storefront_suspended' })
    expect((await subscriptionOf(scenario)).status).toBe('paused')
  })
})

describe('a renewal and a suspension', () => {
  async function begins({ id }: Scenario): Promise<string> {
    const newest = { where: { subscription_id: id }, orderBy: { start_at: 'desc' } } as const
    return (await db().subscription_periods.findFirstOrThrow(newest)).start_at.toISOString()
  }

  test('a renewal waits during a suspension, and after the suspension is charged once for a new period', async () => {
    const scenario = await subscriptionScenario()
    await pass(scenario, 'P20D')
    await suspend(scenario.shop)
    await pass(scenario, 'P12D')
    await jump(scenario, { days: 78 })
    expect(await ordersOf(scenario)).toHaveLength(1)
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'active' })
    await resume(scenario.shop)
    await pass(scenario, 'PT6H')
    expect(await ordersOf(scenario)).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
    expect(await begins(scenario)).toMatch(/^2027-04-2[01]T/)
    await pass(scenario, 'P28D')
    expect(await ordersOf(scenario)).toHaveLength(2)
    await pass(scenario, 'P3D')
    expect(await ordersOf(scenario)).toHaveLength(3)
  })

  test('a renewal happens at its scheduled time if it is due after the suspension', async () => {
    const scenario = await subscriptionScenario()
    await suspend(scenario.shop)
    await pass(scenario, 'P10D')
    await resume(scenario.shop)
    await pass(scenario, 'P1M')
    expect(await ordersOf(scenario)).toHaveLength(2)
    expect(await subscriptionOf(scenario)).toMatchObject({
      nextRenewalAt: expect.stringMatching(/^2027-03-01T00:00:0/),
    })
  })

  test('if a recovery delays a renewal, later renewals keep their original dates, even after a suspension', async () => {
    const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P15DT12H')
    expect(await ordersOf(scenario)).toMatchObject([{ status: 'paid' }, { status: 'pending' }])
    await suspend(scenario.shop)
    await resume(scenario.shop)
    await chooseMethod(await billingToken(scenario), 'paypal')
    await drainTasks()
    const charged = (await ordersOf(scenario)).filter(
      (order: { total: { value: string } }) => order.total.value !== '0.00',
    )
    expect(charged.map((order: { status: string }) => order.status)).toEqual(['paid', 'paid', 'paid'])
    expect(await begins(scenario)).toMatch(/^2027-01-15T00:00/)
  })

  test('an early renewal after a suspension starts immediately and is charged once', async () => {
    const scenario = await subscriptionScenario()
    await suspend(scenario.shop)
    await jump(scenario, { months: 3 })
    await resume(scenario.shop)
    const path = 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal'
    expect((await ask(scenario, path, { paymentStatus: 'paid' })).status).toBeLessThan(300)
    await pass(scenario, 'PT7H')
    expect(await ordersOf(scenario)).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
    expect(await begins(scenario)).toMatch(/^2027-04-01T/)
  })

  test('the renewal at the end of a trial waits during a suspension', async () => {
    const scenario = await subscriptionScenario({ item: { trialDays: 7 } })
    const before = (await ordersOf(scenario)).length
    await suspend(scenario.shop)
    await pass(scenario, 'P8D')
    await jump(scenario, { days: 23 })
    expect((await subscriptionOf(scenario)).status).toBe('trial')
    expect(await ordersOf(scenario)).toHaveLength(before)
    await resume(scenario.shop)
    await pass(scenario, 'PT6H')
    expect((await subscriptionOf(scenario)).status).toBe('active')
    expect(await ordersOf(scenario)).toHaveLength(before + 1)
  })

  test('a subscription is not renewed if it was canceled during the suspension', async () => {
    const scenario = await subscriptionScenario()
    await suspend(scenario.shop)
    await jump(scenario, { months: 2 })
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await drainTasks()
    await pass(scenario, 'PT6H')
    expect((await subscriptionOf(scenario)).status).toBe('canceled')
    await resume(scenario.shop)
    await pass(scenario, 'P2M')
    expect(await ordersOf(scenario)).toHaveLength(1)
  })

  test('many simultaneous renewals wait during a suspension, and each is then charged once', async () => {
    const scenario = await subscriptionScenario()
    await copySale(scenario, 12)
    const byName = new Map(jobs.map((job) => [job.name, job]))
    const runAll = async () => {
      for (;;) {
        const tasks = await claimDueTasks('work', 100, 90_000)
        if (tasks.length === 0) return
        await runBatch(byName, tasks)
      }
    }
    await suspend(scenario.shop)
    await jumpClock(scenario, 40 * 86_400)
    await runAll()
    expect(await ordersOf(scenario)).toHaveLength(12)
    await resume(scenario.shop)
    await runAll()
    expect(await ordersOf(scenario)).toHaveLength(12)
    await jumpClock(scenario, 6 * 3_600)
    await Promise.all([runAll(), runAll()])
    await runAll()
    expect(await ordersOf(scenario)).toHaveLength(24)
    expect(await db().payments.count({ where: { storefront_id: scenario.shop.storefrontId, status: 'paid' } })).toBe(24)
  })
})
