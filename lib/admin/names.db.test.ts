import { beforeAll, expect, test } from 'vitest'
import { auditLog } from '../modules/audit/operations.ts'
import { newFormKey } from '../platform/http/form-key.ts'
import * as factories from '../testing/factories.ts'
import { anOperator } from '../testing/operator.ts'
import { buyerForm, germanVisitor, tokenOf } from '../testing/shop.ts'
import { ask, drainTasks, ordersOf, type Scenario, subscriptionScenario } from '../testing/subscription-scenario.ts'
import { submitPaymentLink } from '../workflows/sale/submit-payment-link.ts'
import { chooseOutcome } from '../workflows/test-payment-page/submit-test-payment.ts'
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

test('the page of an email names its order, subscription, and customer', async () => {
  const shown = async (sought: string) => {
    const { rows = [] } = (await admin.emailsPage(at(), {}, cookies)) ?? {}
    const email = rows.find(({ kind }) => kind === sought)
    return admin.emailPage(at(), email?.id ?? '', cookies)
  }
  const order = (await ordersOf(of)).at(-1)
  const customer = { id: of.customerId, name: 'Ada Lovelace' }
  expect(await shown('receipt')).toMatchObject({ order: { id: order.id, name: order.invoiceNumber }, customer })
  await ask(of, 'DELETE /v1/subscriptions/{id}')
  await drainTasks()
  expect(await shown('cancellation')).toMatchObject({ subscription: { id: of.id, name: '1 × Pro' }, customer })
})

test('the page of a checkout names its order, customer, and payment link, and links to its products', async () => {
  const shown = async () => {
    const [row] = (await admin.checkoutsPage(at(), { status: 'paid' }, cookies))?.list.rows ?? []
    return admin.checkoutLinkPage(at(), row?.id ?? '', cookies)
  }
  const order = (await ordersOf(of)).at(-1)
  const customer = { id: of.customerId, name: 'Ada Lovelace' }
  const page = await shown()
  expect(page).toMatchObject({ order: { id: order.id, name: order.invoiceNumber }, customer, paymentLink: null })
  expect(page?.lines.map(({ productId }) => productId)).toEqual([of.planId])

  const link = await factories.aPaymentLink(of.key, of.planId)
  const form = buyerForm({ key: newFormKey(), ...buyer, email: 'linked@example.com' })
  const next = await submitPaymentLink(tokenOf(link.url), form, germanVisitor)
  await chooseOutcome(tokenOf(next?.redirectTo ?? ''), new URLSearchParams({ outcome: 'paid', mandate: 'valid' }))
  expect((await shown())?.paymentLink).toEqual({ id: link.id, name: 'Pricing page' })
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
