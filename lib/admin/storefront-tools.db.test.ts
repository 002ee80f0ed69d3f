import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAudit } from '../modules/audit/operations.ts'
import { enqueueEmail } from '../modules/emails/enqueue.ts'
import { transact } from '../modules/events/transact.ts'
import { db } from '../platform/db/db.ts'
import { tasks } from '../server/jobs.ts'
import { key, newestEntry } from '../testing/admin-forms.ts'
import { send } from '../testing/api.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { anOperator, freshCodeOf } from '../testing/operator.ts'
import { aReceiver } from '../testing/receiver.ts'
import { aShop, stopClock } from '../testing/shop.ts'
import {
  type Everything,
  email,
  everything,
  form,
  item,
  link,
  place,
  termsOf,
  type Where,
  yesterday,
} from '../testing/storefront-pages.ts'
import { drainTasks, get, ordersOf, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
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
    const of = await everything(receiver.url)
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
    const of = await everything(receiver.url)
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
    const of = await everything(receiver.url)
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

  test('an invalid brand is not saved, and the form shows the entered values and every problem', async () => {
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
