import { beforeAll, expect, test } from 'vitest'
import { auditLog } from '../modules/audit/operations.ts'
import * as factories from '../testing/factories.ts'
import { anOperator } from '../testing/operator.ts'
import { drainTasks, ordersOf, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import * as admin from './pages.ts'

const buyer = { fullName: 'Ada Lovelace', companyName: '', country: 'NL', taxId: '' }
let cookies: string | null = null
let operatorId = ''
let of: Scenario
const at = () => ({ mode: 'test', storefrontId: of.shop.storefrontId })

beforeAll(async () => {
  ;({ cookies, operatorId } = await anOperator('names@example.com'))
  of = await subscriptionScenario({ buyer })
  await drainTasks()
})

test('the page of an email names its order and customer', async () => {
  const { rows = [] } = (await admin.emailsPage(at(), {}, cookies)) ?? {}
  const receipt = rows.find(({ kind }) => kind === 'receipt')
  const page = await admin.emailPage(at(), receipt?.id ?? '', cookies)
  const order = (await ordersOf(of)).at(-1)
  expect(page).toMatchObject({
    order: { id: order.id, name: order.invoiceNumber },
    customer: { id: of.customerId, name: expect.stringMatching(/Ada Lovelace|@/) },
  })
})

test('the page of a checkout names its order and customer, and links to its products', async () => {
  const [row] = (await admin.checkoutsPage(at(), { status: 'paid' }, cookies))?.list.rows ?? []
  const page = await admin.checkoutLinkPage(at(), row?.id ?? '', cookies)
  expect(page?.order?.name).toMatch(/\d/)
  expect(page?.customer).toMatchObject({ id: of.customerId, name: expect.any(String) })
  expect(page?.paymentLink).toBeNull()
  expect(page?.lines[0]?.productId).toMatch(/^subscription_plan_/)
})

test('a list that is filtered by customer names the customer', async () => {
  const { id } = await factories.aCustomer(of.key, { email: 'grace@example.com', name: 'Grace Hopper' })
  const parameters = { customer: id }
  expect((await admin.ordersPage(at(), parameters, cookies))?.customer).toEqual({ id, name: 'Grace Hopper' })
  expect((await admin.subscriptionsPage(at(), parameters, cookies))?.customer).toEqual({ id, name: 'Grace Hopper' })
  expect((await admin.ordersPage(at(), { customer: 'customer_unknown' }, cookies))?.customer?.name).toBeNull()
  expect((await admin.ordersPage(at(), {}, cookies))?.customer).toBeNull()
})

test('the ledger names orders by their invoice number, and events name their object', async () => {
  const order = (await ordersOf(of)).at(-1)
  const { entries } = (await admin.balancePage(at(), {}, cookies)) ?? {}
  expect(entries?.rows.map(({ invoiceNumber }) => invoiceNumber)).toContain(order.invoiceNumber)
  const events = (await admin.eventsPage(at(), { event: 'order.paid' }, cookies))?.rows ?? []
  expect(events[0]).toMatchObject({ entityId: order.id, objectName: order.invoiceNumber })
})

test('the audit log names storefronts and operators', async () => {
  await admin.exportCsv(at(), 'orders', new URLSearchParams(), cookies)
  const [entry] = await auditLog(null, 1)
  expect(entry?.subject).toBe(of.shop.storefrontId)
  const { entries = [] } = (await admin.auditPage({}, cookies)) ?? {}
  expect(entries[0]?.subjectName).toBe('Lumen Software')
  const ofOperator = (await admin.auditPage({ subject: operatorId }, cookies))?.entries ?? []
  for (const { subjectName } of ofOperator) expect(subjectName).toBe('names@example.com')
})
