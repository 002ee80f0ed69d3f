import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '../platform/db/db.ts'
import { copies, copyRows, manyRowsRead } from '../testing/copied-rows.ts'
import * as factories from '../testing/factories.ts'
import { lastingConnection } from '../testing/lasting-connection.ts'
import { aMember, anOperator } from '../testing/operator.ts'
import { aReceiver } from '../testing/receiver.ts'
import { type RecordedQuery, recordedQueries, scansOf } from '../testing/recorded-queries.ts'
import { aShop } from '../testing/shop.ts'
import { drainTasks, ordersOf, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { raise } from '../workflows/chargeback/operations.ts'
import { createFull } from '../workflows/refund/operations.ts'
import * as admin from './pages.ts'

/**
 * These tests check that the number of rows read for a page does not grow with a table. The test requests each page,
 * copies the rows of all tables many times, and runs EXPLAIN for the same queries.
 */

/** A page shows 50 rows, but its query may read more rows and discard them. */
const mostRead = 300
/** A search first reads the 2,000 newest customers, and then reads only matching customers through the index. */
const mostSearched = 2_100

const run = lastingConnection('-c session_replication_role=replica')

const differing = {
  customers: { email: `n || '@example.com'`, name: `'Name ' || n` },
  checkouts: {},
  payment_links: {},
  orders: {
    customer_id: `'customer_' || n`,
    checkout_id: 'NULL::text',
    invoice_number: `'N-' || n`,
    verifying_subscription_id: 'NULL::text',
  },
  subscriptions: { customer_id: `'customer_' || n`, checkout_line_id: `'line_' || n` },
  emails: { order_id: 'NULL::text', original_id: `'mail_original'` },
  events: { entity_id: `'entity_' || n` },
  deliveries: { event_id: `'webhook_event_' || lpad(n::text, 22, '0')` },
  refunds: { order_id: `'order_' || n`, credit_note_id: 'NULL::text' },
  chargebacks: { order_id: `'order_' || n`, provider_ref: `'ref_' || n`, credit_note_id: 'NULL::text' },
  recoveries: { order_id: `'order_' || n`, subscription_id: `'subscription_' || n` },
  products: { review: 'NULL::text', name: `'Plan ' || n` },
  ledger_entries: { subject_id: `'subject_' || n` },
  payments: {
    order_id: `'order_' || n`,
    status: `'failed'`,
    provider_ref: `'ref_' || n`,
    paid_order_id: 'NULL::text',
    open_order_id: 'NULL::text',
  },
}

async function addRows(storefrontId: string): Promise<void> {
  await run({
    text: `INSERT INTO audit_entries SELECT 1000000 + n, now(), 'cli', 'root', NULL, 'plan.create', 'subject_' || n % 2000, NULL, NULL, '\\x00'
      FROM generate_series(1, ${copies}) n`,
  })
  await copyRows(run, storefrontId, differing)
}

const asked: Record<string, RecordedQuery[]> = {}

beforeAll(async () => {
  const { cookies } = await anOperator('lists@example.com')
  const receiver = await aReceiver()
  const scenario = await subscriptionScenario()
  const { id: endpointId } = await factories.anEndpoint(scenario.key, receiver.url)
  await factories.pay(scenario.key, await factories.aCheckout(scenario.key, scenario.planId))
  const reviewed = await factories.aPlan(scenario.shop.liveKey)
  // This request fills the cache of reached tax thresholds, so the recorded request of the inbox omits the query of thresholds.
  await admin.inboxPage(cookies)
  await factories.aPaymentLink(scenario.key, scenario.planId)
  await drainTasks()
  const [order, other] = await ordersOf(scenario)
  await raise(order.id, { amount: '1.00', reason: 'fraud' })
  await createFull({ storefrontId: scenario.shop.storefrontId, testmode: true }, other.id, { metadata: null })
  await drainTasks()
  await receiver.close()
  const { storefrontId } = scenario.shop
  const ownerOf = async (email: string, id: string) => {
    const { merchant_id } = await db().storefronts.findUniqueOrThrow({ where: { id } })
    return aMember(email, merchant_id, 'owner')
  }
  const member = await ownerOf('lists-member@example.com', storefrontId)
  const stranger = await ownerOf('lists-stranger@example.com', (await aShop()).storefrontId)
  const at = { mode: 'test', storefrontId }
  await run({
    text: `INSERT INTO recoveries (id, storefront_id, testmode, subscription_id, order_id, collects, kind, failure_reason,
        last_failure_reason, last_failed_at, simulated, status, started_at, next_step_at)
      VALUES ('recovery_' || right($2, 22), $1, true, $3, $2, 'renewal', 'soft', 'insufficient_funds',
        'insufficient_funds', now(), false, 'open', now(), now())`,
    values: [storefrontId, order.id, scenario.id],
  })
  const newest = async (table: keyof typeof differing) => {
    const rows = await run<{ id: string }>({
      text: `SELECT id FROM ${table} WHERE storefront_id = $1 ORDER BY id DESC LIMIT 1`,
      values: [storefrontId],
    })
    return rows[0]?.id ?? ''
  }
  const sortedBy = (name: string) =>
    [name, `${name}-reverse`].flatMap((sort) => [{ sort }, { sort, status: 'paid' }, { sort, status: 'active' }])
  const dated = [{ sort: 'oldest' }, { from: '2027-01-01', to: '2027-01-31', sort: 'oldest', status: 'paid' }]
  type Ask = (parameters: Record<string, string>) => Promise<unknown>
  const lists: Record<string, [Ask, keyof typeof differing, readonly Record<string, string>[]]> = {
    orders: [
      (q) => admin.ordersPage(at, q, cookies),
      'orders',
      [{ status: 'paid' }, { status: 'expired' }, ...dated, ...sortedBy('amount')],
    ],
    subscriptions: [
      (q) => admin.subscriptionsPage(at, q, cookies),
      'subscriptions',
      [{ status: 'active' }, { status: 'paused' }, ...dated, ...sortedBy('next-charge')],
    ],
    customers: [
      (q) => admin.customersPage(at, q, cookies),
      'customers',
      [{ email: 'ada@example.com' }, ...dated, ...sortedBy('name')],
    ],
    catalog: [
      (q) => admin.catalogPage(at, q, cookies),
      'products',
      [{ kind: 'one_off_product' }, { kind: 'subscription_plan' }],
    ],
    checkouts: [(q) => admin.checkoutsPage(at, q, cookies), 'checkouts', [{ status: 'paid' }, { status: 'expired' }]],
    'payment-links': [
      (q) => admin.paymentLinksPage(at, q, cookies),
      'payment_links',
      [{ status: 'active' }, { status: 'ended' }],
    ],
    chargebacks: [
      (q) => admin.chargebacksPage(at, q, cookies),
      'chargebacks',
      [{ status: 'pending' }, { status: 'won' }],
    ],
    'past-due': [(q) => admin.pastDuePage(at, q, cookies), 'recoveries', []],
    emails: [(q) => admin.emailsPage(at, q, cookies), 'emails', [{ status: 'kept' }, { status: 'refused' }]],
    deliveries: [
      (q) => admin.deliveriesPage(at, q, cookies),
      'deliveries',
      [
        { status: 'delivered' },
        { status: 'failed' },
        { endpoint: endpointId },
        { endpoint: endpointId, status: 'failed' },
        { event: 'order.paid' },
        { event: 'order.paid', status: 'failed' },
        { event: 'order.paid', from: '2020-01-01', to: '2020-01-02' },
        { object: 'entity_7' },
      ],
    ],
    events: [
      (q) => admin.eventsPage(at, q, cookies),
      'events',
      [{ event: 'order.paid' }, { object: 'entity_7' }, { from: '2020-01-01', to: '2020-01-02' }],
    ],
    entries: [(q) => admin.balancePage(at, q, cookies), 'ledger_entries', []],
  }
  for (const [name, [ask, table, filters]] of Object.entries(lists)) {
    const cursor = await newest(table)
    for (const filter of [{}, ...filters])
      for (const place of [{}, { startingAfter: cursor }, { endingBefore: cursor }]) {
        const parameters = { ...filter, ...place }
        asked[`${name}?${new URLSearchParams(parameters)}`] = await recordedQueries(() => ask(parameters))
      }
  }
  const pages: Record<string, () => Promise<unknown>> = {
    'the home page': () => admin.storefrontOverview(at, {}, cookies),
    'an order': () => admin.orderPage(at, order.id, cookies),
    'a subscription': () => admin.subscriptionPage(at, scenario.id, cookies),
    'an endpoint': () => admin.endpointPage(at, endpointId, null, cookies),
    'the home page with a year': () => admin.storefrontOverview(at, { range: '12m' }, cookies),
    'a customer': () => admin.customerPage(at, scenario.customerId, cookies),
    'a statement': () => admin.statementPage(at, '2027-01', cookies),
    'the search for an address': () => admin.searchPage('ada@example.com', cookies),
    'the search for a number': () => admin.searchPage(order.invoiceNumber, cookies),
    'the search of a member for the numbers of another merchant': () => admin.searchPage('N-', stranger.cookies),
    'the search for a part': () => admin.searchPage('nobody', cookies),
    'the search for three letters': () => admin.searchPage('xqz', cookies),
    'the search for a common part': () => admin.searchPage('nam', cookies),
    'the search of a member for a part': () => admin.searchPage('nobody', member.cookies),
    'the search of a member for a common part': () => admin.searchPage('nam', member.cookies),
    'the search for an id': () => admin.searchPage(order.id, cookies),
    'the audit log': () => admin.auditPage({}, cookies),
    'the audit log of one id': () => admin.auditPage({ subject: 'subject_3', before: '1019999' }, cookies),
    'the frame': () => admin.storefrontFrame(at, cookies),
    'the inbox': () => admin.inboxPage(cookies),
    'the reviews': () => admin.reviewsPage(cookies),
    'a review': () => admin.reviewPage(reviewed.id, null, cookies),
    'the open disputes': () => admin.openDisputesPage({}, cookies),
    'the disputes to decide': () => admin.openDisputesPage({ status: 'requires_amount_review' }, cookies),
    'the disputes to answer': () => admin.openDisputesPage({ status: 'pending' }, cookies),
  }
  for (const [name, ask] of Object.entries(pages)) asked[name] = await recordedQueries(ask)
  await addRows(storefrontId)
}, 300_000)

describe.each([
  ['for the given values', 'force_custom_plan'],
  ['for any values', 'force_generic_plan'],
])('a query plan %s reads few rows for a page of the admin area', (_, mode) => {
  beforeAll(() => run({ text: `SET plan_cache_mode = ${mode}` }))

  test('an admin page reads a limited number of rows from a large table, with any cursor or filter', async () => {
    const tables = [...Object.keys(differing), 'audit_entries']
    const isSearch = ([name]: [string, unknown]) => name.startsWith('the search')
    const pages = Object.fromEntries(Object.entries(asked).filter((each) => !isSearch(each)))
    const { explained, wrong } = await manyRowsRead(run, pages, { tables, mostRead })
    expect(explained).toBeGreaterThan(200)
    expect(wrong).toEqual([])
    const searches = Object.fromEntries(Object.entries(asked).filter(isSearch))
    expect((await manyRowsRead(run, searches, { tables, mostRead: mostSearched })).wrong).toEqual([])
  })

  test('the count of read rows detects a query plan that scans a whole table', async () => {
    const query = { text: `SELECT id FROM orders WHERE locale = 'xx' ORDER BY id DESC LIMIT 50`, values: [] }
    const [scan] = (await scansOf(run, query)).filter(({ table }) => table === 'orders')
    expect(scan?.rows).toBeGreaterThan(copies - 1)
    expect(await db().orders.count()).toBeGreaterThan(copies)
  })
})
