import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { auditLog, verifyAudit } from '../modules/audit/operations.ts'
import { enqueueEmail } from '../modules/emails/enqueue.ts'
import { transact } from '../modules/events/transact.ts'
import { type Role, roles } from '../modules/operators/rules/access.ts'
import { db } from '../platform/db/db.ts'
import { tasks } from '../server/jobs.ts'
import { allRows } from '../testing/all-rows.ts'
import { send } from '../testing/api.ts'
import * as factories from '../testing/factories.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { lockOn } from '../testing/lock-on.ts'
import { aMember, anOperator, freshCodeOf, halfSignedIn, operatorAddress } from '../testing/operator.ts'
import { raceBehind } from '../testing/race-behind.ts'
import { aReceiver } from '../testing/receiver.ts'
import { aShop, stopClock } from '../testing/shop.ts'
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

const email = 'desk@example.com'
let cookies: string | null = null
let operatorId = ''
let receiver: Awaited<ReturnType<typeof aReceiver>>

beforeAll(async () => {
  ;({ operatorId, cookies } = await anOperator(email))
  receiver = await aReceiver()
})
afterAll(() => receiver.close())
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const place = ({ shop }: Pick<Scenario, 'shop'>, mode = 'test') => ({ mode, storefrontId: shop.storefrontId })
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
/** Returns a hash of the effect that the page of a subscription states for an action. The form of the action sends this hash as `terms`. */
const termsOf = async (id: string, intent: string, at: ReturnType<typeof place>, by = cookies) =>
  (await admin.subscriptionPage(at, id, by))?.actions.find(({ action }) => action === intent)?.terms ?? ''
const newestEntry = async () => (await auditLog(null, 1))[0]

async function everything() {
  const scenario = await subscriptionScenario()
  const { id: endpointId } = await factories.anEndpoint(scenario.key, `${receiver.url}/${scenario.shop.storefrontId}`)
  const { id: productId } = await factories.aProduct(scenario.key)
  const { id: checkoutId } = await factories.pay(scenario.key, await factories.aCheckout(scenario.key, productId))
  const { id: paymentLinkId } = await factories.aPaymentLink(scenario.key, productId)
  await drainTasks()
  const where = { storefront_id: scenario.shop.storefrontId }
  const delivery = await db().deliveries.findFirstOrThrow({ where })
  const content = await db().emails.findFirstOrThrow({ where })
  const [, order] = await ordersOf(scenario)
  return {
    ...scenario,
    order,
    deliveryId: delivery.id,
    eventId: delivery.event_id,
    mailId: content.id,
    productId,
    checkoutId,
    paymentLinkId,
    endpointId,
  }
}
type Everything = Awaited<ReturnType<typeof everything>>

type Where = ReturnType<typeof place>
const key = () => crypto.randomUUID()

const pages: Record<string, (of: Everything, at: Where, cookies: string | null) => Promise<unknown>> = {
  frame: (_, at, cookies) => admin.storefrontFrame(at, cookies),
  overview: (_, at, cookies) => admin.storefrontOverview(at, {}, cookies),
  orders: (_, at, cookies) => admin.ordersPage(at, {}, cookies),
  order: ({ order }, at, cookies) => admin.orderPage(at, order.id, cookies),
  refund: ({ order }, at, cookies) => admin.refundPage(at, order.id, [], cookies),
  subscriptions: (_, at, cookies) => admin.subscriptionsPage(at, {}, cookies),
  subscription: ({ id }, at, cookies) => admin.subscriptionPage(at, id, cookies),
  customers: (_, at, cookies) => admin.customersPage(at, {}, cookies),
  customer: ({ customerId }, at, cookies) => admin.customerPage(at, customerId, cookies),
  deliveries: (_, at, cookies) => admin.deliveriesPage(at, {}, cookies),
  delivery: ({ deliveryId }, at, cookies) => admin.deliveryPage(at, deliveryId, cookies),
  events: (_, at, cookies) => admin.eventsPage(at, {}, cookies),
  event: ({ eventId }, at, cookies) => admin.eventPage(at, eventId, cookies),
  emails: (_, at, cookies) => admin.emailsPage(at, {}, cookies),
  email: ({ mailId }, at, cookies) => admin.emailPage(at, mailId, cookies),
  emailKinds: (_, at, cookies) => admin.emailKindsPage(at, cookies),
  emailPreview: (_, at, cookies) => admin.emailPreviewPage(at, 'receipt', 'pl', cookies),
  emailHtml: (_, at, cookies) => admin.emailPreviewHtml(at, 'receipt', 'pl', cookies),
  clock: (_, at, cookies) => admin.clockPage(at, null, cookies),
  brand: (_, at, cookies) => admin.brandPage(at, {}, cookies),
  portal: (_, at, cookies) => admin.portalPage(at, cookies),
  'audit-log': (_, at, cookies) => admin.merchantAuditPage(at, {}, cookies),
  members: (_, at, cookies) => admin.membersPage(at, null, cookies),
  catalog: (_, at, cookies) => admin.catalogPage(at, {}, cookies),
  item: ({ productId }, at, cookies) => admin.catalogItemPage(at, productId, null, cookies),
  newItem: (_, at, cookies) => admin.newCatalogItemPage(at, 'one_off_product', null, cookies),
  checkouts: (_, at, cookies) => admin.checkoutsPage(at, {}, cookies),
  checkout: ({ checkoutId }, at, cookies) => admin.checkoutLinkPage(at, checkoutId, cookies),
  newCheckout: (_, at, cookies) => admin.newCheckoutPage(at, null, cookies),
  paymentLinks: (_, at, cookies) => admin.paymentLinksPage(at, {}, cookies),
  paymentLink: ({ paymentLinkId }, at, cookies) => admin.paymentLinkPage(at, paymentLinkId, cookies),
  newPaymentLink: (_, at, cookies) => admin.newPaymentLinkPage(at, null, cookies),
  change: ({ id }, at, cookies) => admin.subscriptionChangePage(at, id, form({ quantity: '3' }), cookies),
  endpoints: (_, at, cookies) => admin.endpointsPage(at, null, cookies),
  endpoint: ({ endpointId }, at, cookies) => admin.endpointPage(at, endpointId, null, cookies),
  keys: (_, at, cookies) => admin.keysPage(at, null, cookies),
  chargebacks: (_, at, cookies) => admin.chargebacksPage(at, {}, cookies),
  balance: (_, at, cookies) => admin.balancePage(at, {}, cookies),
  payouts: (_, at, cookies) => admin.payoutsPage(at, {}, cookies),
  payoutAccount: (_, at, cookies) => admin.payoutAccountPage(at, null, cookies),
  statement: (_, at, cookies) => admin.statementPage(at, '2026-12', cookies),
  suspension: (_, at, cookies) => admin.suspensionPage(at, null, cookies),
}
const forms: typeof pages = {
  refund: ({ order }, at, cookies) =>
    admin.submitOrder(
      at,
      order.id,
      form({ intent: 'refund', key: key(), [`amount.${order.lines[0].id}`]: '1.00' }),
      cookies,
    ),
  cancel: async ({ id }, at, cookies) => {
    const terms = await termsOf(id, 'cancel', at, cookies)
    return admin.submitSubscription(at, id, form({ intent: 'cancel', terms, key: key() }), cookies)
  },
  delivery: ({ deliveryId }, at, cookies) =>
    admin.submitDelivery(at, deliveryId, form({ intent: 'resend', key: key() }), cookies),
  matching: (_, at, cookies) => admin.submitDeliveries(at, form({ event: 'order.paid', key: key() }), cookies),
  ping: ({ endpointId }, at, cookies) =>
    admin.submitEndpoint(at, endpointId, form({ intent: 'ping', key: key() }), cookies),
  email: ({ mailId }, at, cookies) => admin.submitEmail(at, mailId, form({ intent: 'resend', key: key() }), cookies),
  emailKinds: (_, at, cookies) =>
    admin.submitEmailKinds(at, form({ intent: 'off', kind: 'trial_ending', key: key() }), cookies),
  members: async (_, at, cookies) => {
    const code = await freshCodeOf(cookies)
    const sent = { intent: 'invite', email: 'friend@example.com', role: 'support', key: key(), code }
    return admin.submitMembers(at, form(sent), cookies)
  },
  brand: (_, at, cookies) =>
    admin.submitBrand(at, { intent: 'save', fields: { accent: '#7a1f1f' }, logo: undefined }, cookies),
  portal: (_, at, cookies) => admin.submitPortal(at, form({ quantity: 'yes', key: key() }), cookies),
  clock: (_, at, cookies) => admin.submitClock(at, form({ by: '1h', key: key() }), tasks.embedded, cookies),
  newItem: (_, at, cookies) => admin.submitNewCatalogItem(at, form({ ...item, key: key() }), cookies),
  item: ({ productId }, at, cookies) =>
    admin.submitCatalogItem(at, productId, form({ intent: 'archive', key: key() }), cookies),
  newCheckout: ({ planId }, at, cookies) => admin.submitNewCheckout(at, form({ ...link(planId), key: key() }), cookies),
  change: async ({ id }, at, cookies) => {
    const page = await admin.subscriptionChangePage(at, id, form({ quantity: '2' }), cookies)
    const terms = page?.terms ?? ''
    return admin.submitSubscriptionChange(at, id, form({ quantity: '2', terms, key: key() }), cookies)
  },
  endpoints: (_, at, cookies) => admin.submitNewEndpoint(at, form({ url: receiver.url, key: key() }), cookies),
  resendFailed: ({ endpointId }, at, cookies) =>
    admin.submitEndpoint(at, endpointId, form({ intent: 'resend', since: yesterday(), key: key() }), cookies),
  endpoint: ({ endpointId }, at, cookies) =>
    admin.submitEndpoint(at, endpointId, form({ intent: 'delete', key: key() }), cookies),
  keys: (_, at, cookies) => admin.submitKeys(at, form({ intent: 'issue', scope: 'read_only', key: key() }), cookies),
  export: (_, at, cookies) => admin.exportCsv(at, 'orders', form({}), cookies),
  statement: (_, at, cookies) => admin.exportStatement(at, '2026-12', cookies),
  statementPdf: (_, at, cookies) => admin.exportStatementPdf(at, '2026-12', cookies),
  suspension: (_, at, cookies) =>
    admin.submitSuspension(at, form({ intent: 'suspend', reason: 'Fraud', key: key() }), cookies),
  payoutAccount: (_, at, cookies) => admin.submitPayoutAccount(at, form({ intent: 'change', key: key() }), cookies),
  payout: (_, at, cookies) => admin.submitPayouts(at, form({ amount: '1.00', reference: key(), key: key() }), cookies),
}

const item = {
  kind: 'one_off_product',
  name: 'Atlas',
  description: 'Maps.',
  'basePrice.value': '12.00',
  productType: 'ebook',
  taxBehavior: 'exclusive',
}
const link = (productId: string) => ({
  'products.0.id': productId,
  'products.0.quantity': '1',
  redirectUrlSuccess: 'https://shop.example/thanks',
  redirectUrlCanceled: 'https://shop.example/basket',
})
const yesterday = () => new Date(Date.now() - 24 * 3600 * 1000).toISOString().slice(0, 16)
const merchantOf = async ({ shop }: Scenario) =>
  (await db().storefronts.findUniqueOrThrow({ where: { id: shop.storefrontId } })).merchant_id
/** Pages and forms of one record. They do not exist in a storefront or a mode that does not own the record. */
const ofOne = [
  ...(['order', 'refund', 'subscription', 'customer', 'delivery', 'email', 'cancel'] as const),
  ...(['item', 'checkout', 'change', 'endpoint', 'resendFailed', 'event', 'ping'] as const),
]

describe('the pages of a storefront', () => {
  test('an operator with both factors can open the pages of a storefront, and opening a page changes nothing', async () => {
    const of = await everything()
    const half = await halfSignedIn(email)
    const before = await allRows()
    const noWhere = ['Test', 'prod', ''].map((mode) => place(of, mode))
    for (const [name, page] of Object.entries(pages)) {
      expect(await page(of, place(of), cookies), name).not.toBeNull()
      for (const stranger of [null, '', half, '__Host-billhook-operator=x'])
        expect(await page(of, place(of), stranger), name).toBeNull()
      for (const at of [...noWhere, { mode: 'test', storefrontId: 'storefront_0' }])
        expect(await page(of, at, cookies), name).toBeNull()
    }
    const after = await allRows()
    const { operator_sessions: _, operators: __, audit_entries: ___, audit_heads: ____, ...unchanged } = before
    expect(after).toMatchObject(unchanged)
  })

  test('the forms of a storefront have no effect if the sender has no access to the storefront', async () => {
    const of = await everything()
    const half = await halfSignedIn(email)
    const before = await allRows()
    for (const [name, submit] of Object.entries(forms))
      for (const stranger of [null, half]) expect(await submit(of, place(of), stranger), name).toBeNull()
    expect(await allRows()).toEqual(before)
  })

  test('pages and forms of a storefront neither show nor change rows of another storefront or mode', async () => {
    const of = await everything()
    const other = place({ shop: await aShop() })
    const before = await allRows()
    for (const name of ofOne)
      for (const at of [other, place(of, 'live'), { ...other, mode: 'live' }])
        for (const asked of [pages[name], forms[name]])
          expect((await asked?.(of, at, cookies)) ?? null, name).toBeNull()
    expect(await admin.clockPage(place(of, 'live'), null, cookies)).toBeNull()
    expect(await forms.clock?.(of, place(of, 'live'), cookies)).toBeNull()
    for (const page of [
      admin.ordersPage,
      admin.subscriptionsPage,
      admin.customersPage,
      admin.deliveriesPage,
      admin.emailsPage,
    ])
      expect((await page(other, {}, cookies))?.rows).toEqual([])
    expect(await allRows()).toEqual(before)
  })
})

describe('a member of a merchant', () => {
  const allBut = (...names: string[]) =>
    Object.keys(pages)
      .filter((name) => !names.includes(name))
      .join(' ')
  const shownTo: Record<Role, string> = {
    owner: allBut('suspension'),
    developer: allBut(
      'refund',
      'brand',
      'portal',
      'members',
      'audit-log',
      'change',
      'balance',
      'payouts',
      'payoutAccount',
      'statement',
      'suspension',
    ),
    support: allBut(
      'clock',
      'brand',
      'portal',
      'members',
      'audit-log',
      'newItem',
      'keys',
      'balance',
      'payouts',
      'payoutAccount',
      'statement',
      'suspension',
    ),
    accountant: allBut(
      ...[
        'refund',
        'delivery',
        'deliveries',
        'events',
        'event',
        'clock',
        'brand',
        'portal',
        'members',
        'audit-log',
        'newItem',
        'newCheckout',
        'change',
      ],
      'newPaymentLink',
      ...['endpoints', 'endpoint', 'keys', 'suspension'],
    ),
  }
  const taken: Record<Role, string> = {
    owner:
      'refund cancel delivery matching ping email emailKinds members brand portal clock newItem item newCheckout change endpoints resendFailed endpoint keys export statement statementPdf payoutAccount',
    developer: 'delivery matching ping clock newItem item newCheckout endpoints resendFailed endpoint keys',
    support: 'refund cancel email newCheckout change',
    accountant: 'export statement statementPdf',
  }

  test.each(roles)('the role %s can open and change exactly what the table of permissions allows', async (role) => {
    const of = await everything()
    const { cookies } = await aMember(`${role}@example.com`, await merchantOf(of), role)
    const answered = async (all: typeof pages) => {
      const names: string[] = []
      for (const [name, ask] of Object.entries(all)) if (await ask(of, place(of), cookies)) names.push(name)
      return names.join(' ')
    }
    expect(await answered(pages)).toBe(shownTo[role])
    await freshCodeOf(cookies)
    const before = await allRows()
    expect(await answered(forms)).toBe(taken[role])
    const { audit_entries: _, audit_heads: __, operator_sessions: ___, ...unchanged } = before
    if (role === 'accountant') expect(await allRows()).toMatchObject(unchanged)
    else expect((await newestEntry())?.actor).toMatchObject({ kind: 'member', address: operatorAddress })
  })

  test('a member of a merchant sees no other merchant, no review, and no staff audit log', async () => {
    const [own, other] = [await everything(), await everything()]
    const { cookies } = await aMember('stranger@example.com', await merchantOf(own), 'owner')
    for (const [name, ask] of Object.entries({ ...pages, ...forms }))
      expect(await ask(other, place(other), cookies), name).toBeNull()
    expect((await admin.storefrontsPage({}, cookies))?.rows.map(({ id }) => id)).toEqual([own.shop.storefrontId])
    expect((await admin.searchPage(other.order.id, cookies))?.found).toEqual([])
    expect((await admin.searchPage('ada@example.com', cookies))?.found).toHaveLength(1)
    expect(await admin.inboxPage(cookies)).toBeNull()
    expect(await admin.reviewsPage(cookies)).toBeNull()
    for (const id of [own.planId, 'nothing']) expect(await admin.reviewPage(id, null, cookies)).toBeNull()
    expect(await admin.workPage(cookies)).toBeNull()
    expect(await admin.auditPage({}, cookies)).toBeNull()
    expect(await admin.submitReview(own.planId, form({ intent: 'approve' }), cookies)).toBeNull()
  })

  test('a member can be invited only to an existing merchant and with an unused address', async () => {
    await expect(aMember('nobody@example.com', 'merchant_0', 'owner')).rejects.toMatchObject({
      code: 'validation_failed',
    })
    const merchant = await merchantOf(await everything())
    await expect(aMember(email, merchant, 'owner')).rejects.toMatchObject({ code: 'validation_failed' })
  })
})

describe('a refund', () => {
  const amounts = ({ order }: Everything, value: string) => ({ [`amount.${order.lines[0].id}`]: value })
  /** Sends a form a second time while its first request runs. The first request ends only after the second request waits or is refused. */
  async function clickedTwice<Next>({ order }: Everything, submit: () => Promise<Next>): Promise<Next[]> {
    const queries = vi.spyOn(pg.Client.prototype, 'query')
    const textOf = ([query]: readonly unknown[]) => String((query as { text?: string })?.text ?? query)
    const claims = () => queries.mock.calls.map(textOf).filter((text) => text.includes('INSERT INTO idempotency_keys'))
    const second: { next?: Promise<Next>; isOver?: boolean } = {}
    const [first] = await raceBehind(lockOn('orders', order.id), [submit], 1, async () => {
      const before = claims().length
      second.next = submit().finally(() => {
        second.isOver = true
      })
      await vi.waitFor(() => expect(second.isOver || claims().length > before + 1).toBe(true), 10_000)
    })
    queries.mockRestore()
    if (first?.status !== 'fulfilled' || !second.next) throw new Error('the first request failed')
    return [first.value, await second.next]
  }
  const refundsOf = async ({ key, order }: Everything) => (await get(key, `/v1/orders/${order.id}/refunds`)).data

  test('the preview of a refund equals the refunded amount, even if the amount has a decimal comma', async () => {
    const of = await everything()
    const page = await admin.refundPage(place(of), of.order.id, Object.entries(amounts(of, '3,33')), cookies)
    expect(page).toMatchObject({ problems: {}, preview: { subtotal: { value: '3.33' }, total: { value: '4.03' } } })
    const sent = form({ intent: 'refund', key: page?.formKey ?? '', ...amounts(of, '3.33') })
    expect(await admin.submitOrder(place(of), of.order.id, sent, cookies)).toMatchObject({
      redirectTo: expect.stringMatching(/\?done=refunded$/),
    })
    expect(await refundsOf(of)).toMatchObject([{ status: 'pending', total: page?.preview?.total }])
    expect(await newestEntry()).toMatchObject({
      action: 'refund.create',
      subject: of.order.id,
      actor: { kind: 'operator', id: operatorId, address: operatorAddress },
      after: { refund: expect.stringMatching(/^refund_/), total: { value: '4.03', currency: 'EUR' } },
    })
  })

  test('two simultaneous copies of a refund form create one refund', async () => {
    const of = await everything()
    const sent = { intent: 'refund', key: key(), ...amounts(of, '1.00') }
    const submit = () => admin.submitOrder(place(of), of.order.id, form(sent), cookies)
    // The browser follows the response to the last click, so each response must report the result of the first click.
    for (const next of await clickedTwice(of, submit)) expect(next?.redirectTo).toMatch(/\?done=refunded$/)
    expect((await submit())?.redirectTo).toMatch(/\?done=refunded$/)
    expect(await refundsOf(of)).toHaveLength(1)
    // A form with the key of the first form but different amounts is refused.
    const other = await admin.submitOrder(place(of), of.order.id, form({ ...sent, ...amounts(of, '2.00') }), cookies)
    expect(other?.redirectTo).toMatch(/\/refund\?amount\..*&failed=idempotency_mismatch$/)
    for (const bad of ['', 'x', key().toUpperCase()])
      await admin.submitOrder(place(of), of.order.id, form({ ...sent, key: bad }), cookies)
    expect(await refundsOf(of)).toHaveLength(1)
    await admin.submitOrder(place(of), of.order.id, form({ ...sent, key: key() }), cookies)
    expect(await refundsOf(of)).toHaveLength(2)
  })

  test.each([
    ['30.00', /at most the refundable amount of the line, before tax: €24\.50/],
    ['0.00', /at least 0.01/],
    ['-1.00', /an amount from 0\.01 to 99,999,999\.99/],
    ['much', /an amount from 0\.01 to 99,999,999\.99/],
    ['1.001', /an amount from 0\.01 to 99,999,999\.99/],
  ])('a refund of %s is refused, and the form shows the problem at the line', async (value, sentence) => {
    const of = await everything()
    const line = of.order.lines[0].id
    const page = await admin.refundPage(place(of), of.order.id, Object.entries(amounts(of, value)), cookies)
    expect(page).toMatchObject({ preview: null, problems: { [line]: expect.stringMatching(sentence) } })
    const sent = form({ intent: 'refund', key: key(), ...amounts(of, value) })
    const next = await admin.submitOrder(place(of), of.order.id, sent, cookies)
    expect(next?.redirectTo).toMatch(new RegExp(`/orders/${of.order.id}/refund\\?amount\\.${line}=`))
    expect(await refundsOf(of)).toEqual([])
  })

  test('a refund needs a second-factor code if the last code was entered more than 15 minutes ago', async () => {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    const [order] = await ordersOf(scenario)
    const desk = await anOperator('refunds@example.com')
    const typed = { [`amount.${order.lines[0].id}`]: '1.00' }
    const page = (query = {}) =>
      admin.refundPage(place(scenario), order.id, Object.entries({ ...typed, ...query }), desk.cookies)
    const refund = async (code?: string) => {
      const fields = { intent: 'refund', key: key(), ...typed, ...(code !== undefined && { code }) }
      return (await admin.submitOrder(place(scenario), order.id, form(fields), desk.cookies))?.redirectTo
    }
    const count = async () => (await get(scenario.key, `/v1/orders/${order.id}/refunds`)).data.length
    expect((await page())?.needsCode).toBe(false)
    await db().operator_sessions.updateMany({
      where: { operator_id: desk.operatorId },
      data: { verified_at: new Date(Date.now() - 16 * 60_000) },
    })
    expect((await page())?.needsCode).toBe(true)
    for (const code of [undefined, '', '000000', '0'.repeat(1000)])
      expect(await refund(code)).toMatch(/code=wrong#problems$/)
    expect((await page({ code: 'wrong' }))?.problems.code).toContain('This code is wrong')
    expect(await count()).toBe(0)
    expect(await refund(desk.recoveryCodes[0])).toMatch(/done=refunded$/)
    expect((await page())?.needsCode).toBe(false)
    expect(await refund()).toMatch(/done=refunded$/)
    expect(await count()).toBe(2)
  })

  test('two clicks on a refund button use one second-factor code', async () => {
    const of = await everything()
    const desk = await anOperator('impatient@example.com')
    await db().operator_sessions.updateMany({
      where: { operator_id: desk.operatorId },
      data: { verified_at: new Date(Date.now() - 16 * 60_000) },
    })
    const sent = { intent: 'refund', key: key(), ...amounts(of, '1.00'), code: desk.recoveryCodes[0] ?? '' }
    const submit = () => admin.submitOrder(place(of), of.order.id, form(sent), desk.cookies)
    for (const next of await clickedTwice(of, submit)) expect(next?.redirectTo).toMatch(/\?done=refunded$/)
    expect(await refundsOf(of)).toHaveLength(1)
  })

  test('a refund without amounts is refused with a reason', async () => {
    const of = await everything()
    expect(await admin.refundPage(place(of), of.order.id, [], cookies)).toMatchObject({
      preview: null,
      problems: { order: expect.stringContaining('at least one') },
    })
  })

  test('an unsent refund can be canceled', async () => {
    const of = await everything()
    await admin.submitOrder(
      place(of),
      of.order.id,
      form({ intent: 'refund', key: key(), ...amounts(of, '1.00') }),
      cookies,
    )
    const [{ id: refund }] = await refundsOf(of)
    const cancel = () =>
      admin.submitOrder(place(of), of.order.id, form({ intent: 'cancel-refund', key: key(), refund }), cookies)
    expect((await cancel())?.redirectTo).toMatch(/\?done=refundCanceled$/)
    expect(await newestEntry()).toMatchObject({ action: 'refund.cancel', subject: refund })
    expect((await cancel())?.redirectTo).toMatch(/\?failed=refund_not_cancelable$/)
    expect((await refundsOf(of))[0].status).toBe('canceled')
  })
})

describe('a subscription', () => {
  const act = async (scenario: Scenario, intent: string) => {
    const terms = await termsOf(scenario.id, intent, place(scenario))
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

describe('the test clock', () => {
  const now = async (scenario: Scenario) =>
    (await admin.clockPage(place(scenario), null, cookies))?.now.slice(0, 10) ?? ''
  const advance = (scenario: Scenario, by: string, formKey = key()) =>
    admin.submitClock(place(scenario), form({ by, key: formKey }), tasks.embedded, cookies)

  test('two copies of one form advance the test clock once', async () => {
    const scenario = await subscriptionScenario()
    const formKey = key()
    expect((await advance(scenario, 'P1M', formKey))?.redirectTo).toMatch(/\?done=advanced$/)
    expect((await advance(scenario, 'P1M', formKey))?.redirectTo).toMatch(/\?done=advanced$/)
    expect(await now(scenario)).toBe('2027-02-01')
    await drainTasks()
    expect(await ordersOf(scenario)).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
    expect(await newestEntry()).toMatchObject({ action: 'clock.advance', subject: scenario.shop.storefrontId })
    expect((await advance(scenario, '30d'))?.redirectTo).toMatch(/\?done=advanced$/)
    expect(await now(scenario)).toBe('2027-03-03')
  })

  test('the page of the test clock shows the target time only during an advance', async () => {
    const scenario = await subscriptionScenario()
    const goingTo = async () => (await admin.clockPage(place(scenario), null, cookies))?.advancingTo
    await advance(scenario, 'P1D')
    expect(await goingTo()).toBeNull()
    await stopClock(scenario.shop, new Date('2027-03-01T00:00:00Z'))
    expect(await goingTo()).toBe('2027-03-01T00:00:00Z')
  })

  test.each(['', 'soon', '-1h', 'P2000Y', 'PT0.5S', '1'.repeat(200)])(
    'the test clock refuses the duration %j and states the reason',
    async (by) => {
      const scenario = await subscriptionScenario()
      const next = await advance(scenario, by)
      const { searchParams, hash } = new URL(next?.redirectTo ?? '', 'http://localhost')
      expect(hash).toBe('#problems')
      const typed = searchParams.get('by')
      expect((await admin.clockPage(place(scenario), typed, cookies))?.problem).toMatch(
        /^Must be a duration|^The clock/,
      )
      expect(await now(scenario)).toBe('2027-01-01')
    },
  )
})

describe('a delivery and an email', () => {
  test('re-sending a delivery or an email adds an audit entry', async () => {
    const of = await everything()
    const body = await admin.deliveryPage(place(of), of.deliveryId, cookies)
    expect(body).toMatchObject({ status: 'delivered', canResend: true, log: [{ number: 1, status: 200 }] })
    expect(body?.log[0]?.signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/)
    expect((await forms.delivery?.(of, place(of), cookies)) ?? null).toMatchObject({
      redirectTo: expect.stringMatching(/done=resent$/),
    })
    expect(await newestEntry()).toMatchObject({ action: 'delivery.resend', subject: of.deliveryId })
    await drainTasks()
    expect((await admin.deliveryPage(place(of), of.deliveryId, cookies))?.log).toHaveLength(2)
    expect((await forms.email?.(of, place(of), cookies)) ?? null).toMatchObject({
      redirectTo: expect.stringMatching(/done=resent$/),
    })
    expect(await newestEntry()).toMatchObject({ action: 'email.resend', subject: of.mailId })
  })

  test('two copies of one form re-send a delivery or an email once', async () => {
    const of = await everything()
    const delivery = form({
      intent: 'resend',
      key: (await admin.deliveryPage(place(of), of.deliveryId, cookies))?.formKey ?? '',
    })
    const again = form({ intent: 'resend', key: (await admin.emailPage(place(of), of.mailId, cookies))?.formKey ?? '' })
    for (const _ of ['first', 'second']) {
      const next = await admin.submitDelivery(place(of), of.deliveryId, delivery, cookies)
      expect(next?.redirectTo).toMatch(/done=resent$/)
      await drainTasks()
      expect((await admin.submitEmail(place(of), of.mailId, again, cookies))?.redirectTo).toMatch(/done=resent$/)
    }
    expect((await admin.deliveryPage(place(of), of.deliveryId, cookies))?.log).toHaveLength(2)
    expect(await db().emails.count({ where: { original_id: of.mailId } })).toBe(1)
  })

  test('a delivery of a deleted endpoint cannot be re-sent', async () => {
    const of = await everything()
    const [endpoint] = (await get(of.key, '/v1/webhook-endpoints')).data
    await send(`DELETE /v1/webhook-endpoints/${endpoint.id}`, { key: of.key })
    expect((await admin.deliveryPage(place(of), of.deliveryId, cookies))?.canResend).toBe(false)
    expect((await forms.delivery?.(of, place(of), cookies)) ?? null).toMatchObject({
      redirectTo: expect.stringMatching(/failed=validation_failed$/),
    })
  })
})

describe('the brand', () => {
  const submit = (at: Where, form: Partial<admin.BrandForm>) =>
    admin.submitBrand(at, { intent: 'save', fields: {}, logo: undefined, ...form }, cookies)
  const typedIn = (next: Awaited<ReturnType<typeof submit>>) =>
    Object.fromEntries(new URL(next && 'redirectTo' in next ? next.redirectTo : '', 'http://localhost').searchParams)

  test('saving the brand applies to both modes and adds an audit entry', async () => {
    const shop = await aShop()
    const at = place({ shop })
    const fields = { displayName: 'Lumen', accent: '#7a1f1f', supportEmail: 'help@lumen.example' }
    expect(await submit(at, { fields })).toMatchObject({ redirectTo: expect.stringMatching(/\?done=saved$/) })
    expect(await admin.brandPage(place({ shop }, 'live'), {}, cookies)).toMatchObject({ values: fields, problems: {} })
    expect(await newestEntry()).toMatchObject({ action: 'brand.save', subject: shop.storefrontId })
  })

  test('an invalid brand is not saved, and the form shows the typed values and every problem', async () => {
    const shop = await aShop()
    const at = place({ shop })
    const fields = { displayName: 'Lumen', accent: '#ffee00', supportUrl: 'javascript:alert(1)' }
    const typed = typedIn(await submit(at, { fields, logo: new TextEncoder().encode('<html>') }))
    expect(await admin.brandPage(at, typed, cookies)).toMatchObject({
      values: fields,
      problems: {
        accent: expect.stringContaining('at least 4.5:1'),
        supportUrl: expect.stringContaining('https'),
        logo: 'Must be a PNG, JPEG, WebP, or SVG image.',
      },
    })
    expect((await admin.brandPage(at, {}, cookies))?.values.displayName).toBe('')
    for (const logoProblem of ['constructor', 'x', ''])
      expect((await admin.brandPage(at, { logoProblem }, cookies))?.problems).toEqual({})
  })

  test('a cleared field stays empty if the brand form is refused because of another field', async () => {
    const shop = await aShop()
    const at = place({ shop })
    await submit(at, { fields: { displayName: 'Lumen' } })
    const typed = typedIn(await submit(at, { fields: { displayName: '', accent: '#ffee00' } }))
    expect((await admin.brandPage(at, typed, cookies))?.values).toMatchObject({ displayName: '', accent: '#ffee00' })
  })

  test('the brand cannot be saved while the storefront is on hold, and the page shows the saved brand', async () => {
    const shop = await aShop()
    const at = place({ shop })
    await submit(at, { fields: { displayName: 'Lumen' } })
    const hold = (held_at: Date | null) =>
      db().storefronts.update({ where: { id: shop.storefrontId }, data: { held_at } })
    await hold(new Date())
    await expect(submit(at, { fields: { displayName: 'Umbra' } })).rejects.toMatchObject({ code: '55P03' })
    const onHold = { isOnHold: true }
    const page = await admin.brandPage(at, { displayName: 'Umbra' }, cookies)
    expect(page).toMatchObject({ ...onHold, values: { displayName: 'Lumen' } })
    expect(await admin.keysPage(at, null, cookies)).toMatchObject(onHold)
    expect(await admin.suspensionPage(at, null, cookies)).toMatchObject({ ...onHold, suspension: null })
    expect((await admin.storefrontFrame(at, cookies))?.storefront).toMatchObject({
      heldAt: expect.any(String),
      suspension: null,
    })
    expect((await admin.storefrontsPage({}, cookies))?.rows[0]).toMatchObject({ ...onHold, isSuspended: false })
    await hold(null)
    expect(await submit(at, { fields: { displayName: 'Umbra' } })).toMatchObject({
      redirectTo: expect.stringMatching(/\?done=saved$/),
    })
  })

  test('a brand preview does not save the brand', async () => {
    const shop = await aShop()
    const preview = await submit(place({ shop }), { intent: 'preview', fields: { displayName: 'Lumen & Söhne' } })
    expect(preview).toMatchObject({ html: expect.stringContaining('Lumen &amp; Söhne') })
    expect((await admin.brandPage(place({ shop }), {}, cookies))?.values.displayName).toBe('')
  })
})

describe('the page of tasks', () => {
  test('the page of tasks shows late tasks, and the errors of failed tasks', async () => {
    const shop = await aShop()
    const task = {
      storefront_id: shop.storefrontId,
      testmode: true,
      clock: 'real' as const,
      data: {},
      name: 'email.send',
    }
    const run_at = new Date(Date.now() - 90_000)
    const due = { ...task, id: `task_${key()}`, key: key(), due_at: run_at, run_at, created_at: run_at }
    const again = new Date(Date.now() + 3_600_000)
    const failed = {
      ...due,
      id: `task_${key()}`,
      key: key(),
      run_at: again,
      attempts: 3,
      last_error: 'No route to host.',
    }
    await db().tasks.createMany({ data: [due, failed] })
    const page = await admin.workPage(cookies)
    const email = page?.queues.find(({ name }) => name === 'email')
    expect(email?.due).toBeGreaterThanOrEqual(1)
    expect(email?.lateSeconds).toBeGreaterThanOrEqual(89)
    expect(page?.failing.find(({ id }) => id === failed.id)).toMatchObject({
      name: 'email.send',
      attempts: 3,
      lastError: 'No route to host.',
      storefrontUrl: `/admin/test/${shop.storefrontId}`,
    })
    await db().tasks.deleteMany({ where: { id: { in: [due.id, failed.id] } } })
    expect(await admin.workPage(null)).toBeNull()
  })
})

describe('the links of an email', () => {
  const url = 'https://pay.example/portal/link/0oTwdldVC9cpR6AFiwF2K2Rzj-ch9jKylQ_1o5na-Vn3'
  const emailed = (storefrontId: string, testmode: boolean) =>
    transact({ storefrontId, testmode }, async (tx) => {
      const common = { storefrontName: 'Lumen', seller: { name: 'Seller', addressLines: [], country: 'NL' } }
      await enqueueEmail(tx, {
        to: 'ada@example.com',
        locale: 'en',
        content: { ...common, kind: 'portal_link', url, customerId: null, customerName: null },
      })
      return tx.sql.emails.findFirstOrThrow({ where: { storefront_id: storefrontId, testmode } })
    })

  test('the admin area removes the tokens from the links in customer emails in live mode, but not in test mode', async () => {
    const shop = await aShop()
    for (const mode of ['test', 'live'] as const) {
      const { id } = await emailed(shop.storefrontId, mode === 'test')
      const text = (await admin.emailPage(place({ shop }, mode), id, cookies))?.text
      expect(text?.includes(url)).toBe(mode === 'test')
      expect(text).toContain('https://pay.example/portal/link/')
    }
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
    const of = await everything()
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
    for (const endpoint of ['webhook_0', (await everything()).endpointId])
      expect(await admin.deliveriesPage(at, { endpoint }, cookies)).toBeNull()
  })

  test('the search finds ids, email addresses, and invoice numbers, and members of other merchants find nothing', async () => {
    const of = await everything()
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
    const stranger = await aMember('searcher@example.com', await merchantOf(await everything()), 'owner')
    for (const text of [...cases.map(([text]) => text), of.shop.storefrontId])
      for (const { url } of (await admin.searchPage(text, stranger.cookies))?.found ?? [])
        expect(url, text).not.toContain(of.shop.storefrontId)
  })
})
