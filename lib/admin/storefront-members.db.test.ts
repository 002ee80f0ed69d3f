import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAudit } from '../modules/audit/operations.ts'
import { type Role, roles } from '../modules/operators/rules/access.ts'
import { tasks } from '../server/jobs.ts'
import { key, newestEntry } from '../testing/admin-forms.ts'
import { allRows } from '../testing/all-rows.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { aMember, anOperator, freshCodeOf, halfSignedIn, operatorAddress } from '../testing/operator.ts'
import { aReceiver } from '../testing/receiver.ts'
import { aShop } from '../testing/shop.ts'
import {
  type Everything,
  email,
  everything,
  form,
  item,
  link,
  merchantOf,
  place,
  termsOf,
  type Where,
  yesterday,
} from '../testing/storefront-pages.ts'
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

/** Pages and forms of one record. They do not exist in a storefront or a mode that does not own the record. */
const ofOne = [
  ...(['order', 'refund', 'subscription', 'customer', 'delivery', 'email', 'cancel'] as const),
  ...(['item', 'checkout', 'change', 'endpoint', 'resendFailed', 'event', 'ping'] as const),
]

describe('the pages of a storefront', () => {
  let of: Everything
  beforeAll(async () => {
    of = await everything(receiver.url)
  })

  test('an operator with both factors can open the pages of a storefront, and opening a page changes nothing', async () => {
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
    const half = await halfSignedIn(email)
    const before = await allRows()
    for (const [name, submit] of Object.entries(forms))
      for (const stranger of [null, half]) expect(await submit(of, place(of), stranger), name).toBeNull()
    expect(await allRows()).toEqual(before)
  })

  test('pages and forms of a storefront neither show nor change rows of another storefront or mode', async () => {
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
    const of = await everything(receiver.url)
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
    const [own, other] = [await everything(receiver.url), await everything(receiver.url)]
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
    const merchant = await merchantOf(await everything(receiver.url))
    await expect(aMember(email, merchant, 'owner')).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
