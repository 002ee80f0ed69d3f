import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAudit } from '../modules/audit/operations.ts'
import { key, newestEntry } from '../testing/admin-forms.ts'
import * as factories from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { aReceiver } from '../testing/receiver.ts'
import { aShop } from '../testing/shop.ts'
import { email, everything, form, merchantOf, place, termsOf } from '../testing/storefront-pages.ts'
import {
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '../testing/subscription-scenario.ts'
import { raise } from '../workflows/chargeback/operations.ts'
import { declineMandate } from '../workflows/test-helpers/mandates.ts'
import * as admin from './pages.ts'

let cookies: string | null = null
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeAll(async () => {
  ;({ cookies } = await anOperator(email))
  receiver = await aReceiver()
})

afterAll(() => receiver.close())

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

describe('a subscription', () => {
  const act = async (scenario: Scenario, intent: string) => {
    const terms = await termsOf(scenario.id, intent, place(scenario), cookies)
    const next = await admin.submitSubscription(
      place(scenario),
      scenario.id,
      form({ intent, terms, key: key() }),
      cookies,
    )
    return next?.redirectTo.split('?').at(-1)
  }

  test('a subscription is canceled, resumed, paused, and unpaused, each with an audit entry', async () => {
    const scenario = await subscriptionScenario()
    const shown = async () =>
      (await admin.subscriptionPage(place(scenario), scenario.id, cookies))?.actions.map(({ action }) => action)
    expect(await shown()).toEqual(['pause', 'cancel', 'cancelNow'])
    const steps = [
      ['cancel', 'on_grace_period', 'subscription.cancel'],
      ['resume', 'active', 'subscription.resume'],
      ['pause', 'paused', 'subscription.pause'],
      ['unpause', 'active', 'subscription.unpause'],
      ['cancelNow', 'canceled', 'subscription.cancel_now'],
    ] as const
    for (const [intent, status, action] of steps) {
      expect(await act(scenario, intent)).toBe(`done=${intent}`)
      expect((await subscriptionOf(scenario)).status).toBe(status)
      expect(await newestEntry()).toMatchObject({ action, subject: scenario.id })
    }
    const entries = (await verifyAudit()).entries
    expect(await shown()).toEqual([])
    expect(await act(scenario, 'resume')).toBe('failed=subscription_not_resumable')
    expect(await act(scenario, 'pause')).toBe('failed=subscription_not_pausable')
    expect(await act(scenario, 'unpause')).toBe('failed=subscription_not_paused')
    expect(await act(scenario, 'cancelNow')).toBe('failed=subscription_not_cancelable')
    expect(await act(scenario, 'delete')).not.toContain('=')
    expect((await verifyAudit()).entries).toBe(entries)
  })

  test('the timeline of a subscription shows events, orders, payment attempts, and emails, newest first', async () => {
    const scenario = await subscriptionScenario()
    await pass(scenario, 'P1M')
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P1M')
    await pass(scenario, 'P1D')
    await act(scenario, 'cancel')
    const page = await admin.subscriptionPage(place(scenario), scenario.id, cookies)
    const said = page?.timeline.map((entry) => {
      if (entry.kind === 'event') return entry.event
      if (entry.kind === 'order') return `order ${entry.order.status}`
      if (entry.kind === 'email') return `email ${entry.email.kind}`
      return `${entry.attempt.status} ${entry.attempt.failureReason ?? ''}`.trim()
    })
    // Entries of one transaction have the same time, so their order is undefined.
    const of = (from: number, to: number) => said?.slice(from, to).sort()
    expect(of(0, 2)).toEqual(['canceled_with_grace_period', 'email cancellation'])
    expect(of(2, 6)).toEqual(['email payment_failed', 'failed insufficient_funds', 'order pending', 'renewed'])
    expect(of(6, 10)).toEqual(['email receipt', 'order paid', 'paid', 'renewed'])
    expect(of(10, 99)).toEqual(['email receipt', 'order paid', 'paid', 'started'])
  })

  test('the page of a subscription states the exact charge of each action before the action is confirmed', async () => {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    const stakes = async (asked: string) =>
      (await admin.subscriptionPage(place(scenario), scenario.id, cookies))?.actions.find(
        ({ action }) => action === asked,
      )?.stakes
    const total = { value: '121.00', currency: 'EUR' }
    expect(await stakes('cancel')).toMatchObject({ now: null, next: null, until: expect.stringMatching(/Z$/) })
    const stops = { total, at: expect.stringMatching(/Z$/) }
    const nothingLost = { writtenOff: null, onItsWay: null, collected: null, waived: null, dropsChange: false }
    const nothingWaits = { waiting: null, isHeld: false, stopsWaiting: null }
    const common = { now: null, next: null, stops, until: null, ...nothingLost, ...nothingWaits }
    expect(await stakes('cancelNow')).toEqual({ ...common, endsNow: true })
    expect(await stakes('pause')).toEqual({ ...common, endsNow: false })
    await act(scenario, 'cancel')
    expect(await stakes('resume')).toMatchObject({ now: null, next: { total } })
    await act(scenario, 'resume')
    await act(scenario, 'pause')
    expect(await stakes('unpause')).toMatchObject({ now: null, next: { total } })
    await pass(scenario, 'P2M')
    const before = (await ordersOf(scenario)).length
    expect(await stakes('unpause')).toMatchObject({ now: total, next: { total } })
    await act(scenario, 'unpause')
    await drainTasks()
    const orders = await ordersOf(scenario)
    expect([orders.length, orders[0].total]).toEqual([before + 1, total])
  })
})

describe('lists and the search', () => {
  test('lists are paged by cursor, keep their filters, and show the first page for an invalid cursor', async () => {
    const shop = await aShop()
    for (let n = 0; n < 52; n++) await factories.aCustomer(shop.testKey, { email: `n${n}@example.com` })
    const at = place({ shop })
    const first = await admin.customersPage(at, {}, cookies)
    expect([first?.rows.length, first?.newerUrl]).toEqual([50, null])
    const parameters = (url: string | null | undefined) =>
      Object.fromEntries(new URL(url ?? '', 'http://localhost').searchParams)
    const second = await admin.customersPage(at, parameters(first?.olderUrl), cookies)
    expect(second?.rows.map(({ email }) => email)).toEqual(['n1@example.com', 'n0@example.com'])
    expect(second?.olderUrl).toBeNull()
    expect(await admin.customersPage(at, parameters(second?.newerUrl), cookies)).toEqual(first)
    for (const startingAfter of ['customer_0', 'x', shop.storefrontId])
      expect((await admin.customersPage(at, { startingAfter }, cookies))?.rows).toEqual(first?.rows)
    const all = await admin.customersPage(at, { email: '' }, cookies)
    expect(all).toMatchObject({ rows: first?.rows, exportUrl: expect.stringMatching(/export\/customers$/) })
    const found = await admin.customersPage(at, { email: 'N7@example.com' }, cookies)
    expect(found?.exportUrl).toMatch(/export\/customers\?email=n7%40example.com$/)
    expect(found?.rows).toMatchObject([{ email: 'n7@example.com' }])
    expect((await admin.deliveriesPage(at, { status: 'nothing' }, cookies))?.rows).toEqual([])
  })

  test('lists can be filtered by status, and ignore an unknown status', async () => {
    const of = await everything(receiver.url)
    const { chargebackId } = await raise(of.order.id, { amount: '1.00', reason: 'fraud' })
    const at = place(of)
    const lists = {
      orders: [admin.ordersPage, 'paid', 'expired'],
      subscriptions: [admin.subscriptionsPage, 'active', 'canceled'],
      emails: [admin.emailsPage, 'kept', 'refused'],
      chargebacks: [admin.chargebacksPage, 'pending', 'won'],
      deliveries: [admin.deliveriesPage, 'delivered', 'failed'],
    } as const
    for (const [name, [page, full, empty]] of Object.entries(lists)) {
      const rows = async (status: string) => (await page(at, { status }, cookies))?.rows.length ?? 0
      expect(await rows(full), name).toBeGreaterThan(0)
      expect(await rows(empty), name).toBe(0)
      expect(await rows('constructor'), name).toBe(await rows(full))
      const list = await page(at, { status: empty }, cookies)
      expect(list?.filter.status).toBe(empty)
      expect(list?.exportUrl).toBe(`/admin/test/${at.storefrontId}/export/${name}?status=${empty}`)
    }
    expect((await admin.checkoutsPage(at, { status: 'expired' }, cookies))?.list.rows).toEqual([])
    expect((await admin.checkoutsPage(at, { status: 'paid' }, cookies))?.list.rows.length).toBeGreaterThan(0)
    expect(chargebackId).toMatch(/^chargeback_/)
    const to = { endpoint: of.endpointId }
    expect((await admin.deliveriesPage(at, to, cookies))?.filters.endpoint).toBe(of.endpointId)
    expect((await admin.deliveriesPage(at, to, cookies))?.rows.length).toBeGreaterThan(0)
    expect((await admin.endpointPage(at, of.endpointId, null, cookies))?.deliveries.length).toBeGreaterThan(0)
    for (const endpoint of ['webhook_0', (await everything(receiver.url)).endpointId])
      expect(await admin.deliveriesPage(at, { endpoint }, cookies)).toBeNull()
  })

  test('the search finds ids, email addresses, and invoice numbers, and members of other merchants find nothing', async () => {
    const of = await everything(receiver.url)
    const root = `/admin/test/${of.shop.storefrontId}`
    await admin.submitOrder(
      place(of),
      of.order.id,
      form({ intent: 'refund', key: key(), [`amount.${of.order.lines[0].id}`]: '1.00' }),
      cookies,
    )
    const [{ id: refundId }] = (await get(of.key, '/v1/refunds')).data
    const { chargebackId } = await raise(of.order.id, { amount: '1.00', reason: 'fraud' })
    const urls = async (text: string) => (await admin.searchPage(text, cookies))?.found.map(({ url }) => url)
    const cases: [string, string][] = [
      [of.order.id, `/orders/${of.order.id}`],
      [` ${of.id} `, `/subscriptions/${of.id}`],
      [of.customerId, `/customers/${of.customerId}`],
      [of.deliveryId, `/deliveries/${of.deliveryId}`],
      [of.mailId, `/emails/${of.mailId}`],
      [refundId, `/orders/${of.order.id}`],
      [of.planId, `/catalog/${of.planId}`],
      [of.productId, `/catalog/${of.productId}`],
      [of.checkoutId, `/checkouts/${of.checkoutId}`],
      [of.paymentLinkId, `/payment-links/${of.paymentLinkId}`],
      [of.endpointId, `/endpoints/${of.endpointId}`],
      [chargebackId, `/chargebacks/${chargebackId}`],
      [of.order.invoiceNumber.toLowerCase(), `/orders/${of.order.id}`],
      ['Ada@Example.com', `/customers/${of.customerId}`],
    ]
    // Staff see results of all storefronts. A member sees only results of the merchant's storefronts.
    const owner = await aMember('finder@example.com', await merchantOf(of), 'owner')
    const seen = async (text: string) => (await admin.searchPage(text, owner.cookies))?.found.map(({ url }) => url)
    for (const [text, url] of cases) expect(await seen(text), text).toContain(root + url)
    expect(await urls(of.order.id)).toContain(`${root}/orders/${of.order.id}`)
    expect(await urls(of.shop.storefrontId)).toEqual([root, root.replace('/test/', '/live/')])
    for (const text of [
      '',
      '  ',
      'order_0000000000000000000000',
      'storefront_0000000000000000000000',
      'constructor',
      '%',
      "' OR 1=1",
      'x'.repeat(1000),
    ])
      expect(await urls(text)).toEqual([])
    await admin.submitEndpoint(place(of), of.endpointId, form({ intent: 'delete', key: key() }), cookies)
    expect(await urls(of.endpointId)).toEqual([])
    expect(await admin.searchPage(of.order.id, null)).toBeNull()
    const stranger = await aMember('searcher@example.com', await merchantOf(await everything(receiver.url)), 'owner')
    for (const text of [...cases.map(([text]) => text), of.shop.storefrontId])
      for (const { url } of (await admin.searchPage(text, stranger.cookies))?.found ?? [])
        expect(url, text).not.toContain(of.shop.storefrontId)
  })
})
