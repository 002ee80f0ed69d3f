import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { listSuppressed, resendEmail } from '../../modules/emails/operations.ts'
import { suppress, suppressionsOf } from '../../modules/emails/suppressions.ts'
import { invoiceView } from '../../modules/invoices/load-invoice.ts'
import type { PaymentProvider } from '../../modules/payments/provider.ts'
import { paymentsOf } from '../../modules/personal-data/store.ts'
import { forgetAtProvider } from '../../modules/personal-data/tasks.ts'
import { saveFeedback } from '../../modules/subscriptions/feedback.ts'
import { unseal } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { registry } from '../../providers/registry.ts'
import { send } from '../../testing/api.ts'
import * as factories from '../../testing/factories.ts'
import { brokenAtRest, brokenInvariants } from '../../testing/invariants.ts'
import { aShop, buyerForm, germanVisitor, tokenOf } from '../../testing/shop.ts'
import { ask, drainTasks, pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { exportCustomer } from './export.ts'
import { erase } from './operations.ts'

afterEach(async () => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect(await brokenAtRest()).toEqual({})
})

const person = {
  email: 'ada.canary@example.com',
  fullName: 'Ada Canary',
  companyName: 'Canary Engines Ltd',
  streetAndNumber: 'Canary Street 1',
  city: 'Canaryville',
  postalCode: '10115',
  country: 'DE',
  taxId: 'DE1CANARY',
}

const redirects = { redirectUrlSuccess: 'https://shop.example/ok', redirectUrlCanceled: 'https://shop.example/no' }

async function aFormerCustomer(): Promise<Scenario> {
  const scenario = await subscriptionScenario({ buyer: person })
  await pass(scenario, 'P1M')
  const { email: _, ...billingAddress } = person
  const prefilled = await ask(scenario, 'POST /v1/subscriptions/{id}/billing-update-link', {
    ...redirects,
    billingAddress,
  })
  expect(prefilled.status).toBe(200)
  await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
  await drainTasks()
  return scenario
}

async function tablesWith(text: RegExp): Promise<string[]> {
  const tables = await db().$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db().$queryRawUnsafe<{ row: string }[]>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t`)
    if (rows.some(({ row }) => text.test(row))) found.push(name)
  }
  return found
}

const named = /canary/i
const emailsOf = async ({ shop }: Scenario) => {
  const rows = await db().emails.findMany({ where: { storefront_id: shop.storefrontId } })
  return rows.map(({ id, sealed }) => unseal(sealed, `mails|${id}|sealed`))
}

async function buyersOn({ key }: Scenario): Promise<string[]> {
  const { data } = (await send('GET /v1/orders', { key })).body
  const links: string[] = data.map(
    (order: { links: { customerInvoice: { href: string } } }) => order.links.customerInvoice.href,
  )
  const views = await Promise.all(links.map((href) => invoiceView(tokenOf(href))))
  return views.map((view) => JSON.stringify(view?.document.parties[1]))
}

const suppressed = ({ shop }: Scenario) => listSuppressed(shop.storefrontId, { testmode: true })

test('the API refuses an email address at erased.invalid, because addresses at erased.invalid replace the addresses of erased customers', async () => {
  const { testKey: key } = await aShop()
  const create = (email: string) => send('POST /v1/customers', { key, body: { email } })
  const customerId = (await create('ada@example.com')).body.id
  const { id: other } = (await create('bea@example.com')).body
  const email = `${customerId.toLowerCase()}@erased.invalid`
  const change = () => send(`PATCH /v1/customers/${other}`, { key, body: { email } })
  const refused = { status: 422, body: { errors: { email: [expect.stringContaining('erased.invalid')] } } }
  expect([await create(email), await change()]).toMatchObject([refused, refused])
  await erase(customerId)
  expect([await create(email), await change()]).toMatchObject([refused, refused])
})

describe('a former customer', () => {
  test('after an erasure, only issued documents name the customer, until the retention of the documents ends', async () => {
    const scenario = await aFormerCustomer()
    const { customerId, key } = scenario
    expect(await tablesWith(named)).toContain('events')
    expect((await emailsOf(scenario)).filter((each) => named.test(each)).length).toBeGreaterThan(1)

    const erased = await erase(customerId)
    // The clock runs during the test, so the minutes and seconds vary.
    const erasedAt = expect.stringMatching(/^2027-02-01T00:0\d:\d\dZ$/)
    expect(erased).toEqual({ customerId, erasedAt, documentsUntil: '2038-01-01T00:00:00Z' })
    // Issued documents remain. Stored responses of idempotency keys and the sandbox tables, which represent the data of
    // the provider, are erased too.
    expect(await tablesWith(named)).toEqual(['orders'])
    expect((await emailsOf(scenario)).filter((each) => named.test(each))).toEqual([])
    const { body } = await send(`GET /v1/customers/${customerId}`, { key })
    expect(body).toMatchObject({ email: `${customerId.toLowerCase()}@erased.invalid`, name: null, metadata: null })
    const { data } = (await send('GET /v1/subscriptions', { key })).body
    expect(data[0].billingAddress).toMatchObject({ country: 'DE', fullName: null, taxId: null })

    const buyers = await buyersOn(scenario)
    expect(buyers).toHaveLength(2)
    for (const buyer of buyers)
      for (const value of [person.fullName, person.companyName, person.streetAndNumber, person.city, person.taxId])
        expect(buyer).toContain(value)

    for (let year = 0; year < 11; year++) await pass(scenario, 'P1Y')
    expect(await tablesWith(named)).toEqual([])
    for (const buyer of await buyersOn(scenario)) expect(buyer).not.toMatch(named)
    const orders = (await send('GET /v1/orders', { key })).body.data
    expect(orders).toHaveLength(2)
    for (const order of orders)
      expect(order).toMatchObject({ customerDetails: { country: 'DE', email: null }, invoiceNumber: /INV/ })
  })

  test('an erasure deletes the clear text of a suppressed address, but later emails to the address remain suppressed', async () => {
    const scenario = await aFormerCustomer()
    const { customerId, shop } = scenario
    const bounce = {
      address: person.email,
      cause: 'bounce',
      reason: `no mailbox ${person.email}`,
      at: new Date(),
    } as const
    await db().$transaction((sql) => suppress(sql, shop.scope, bounce))
    expect(await suppressed(scenario)).toMatchObject([{ address: person.email, reason: bounce.reason }])
    await erase(customerId)
    expect(await suppressed(scenario)).toMatchObject([{ cause: 'bounce', address: null, reason: null }])
    expect(await suppressionsOf(db(), shop.scope, person.email)).toHaveLength(1)
  })

  test('the documents of an erased customer still name the customer in the last year of their retention', async () => {
    const scenario = await aFormerCustomer()
    await erase(scenario.customerId)
    // The tenth year of the retention ends with 2037.
    await pass(scenario, 'P10Y')
    expect(await tablesWith(named)).toEqual(['orders'])
    expect(await buyersOn(scenario)).toEqual([
      expect.stringContaining(person.fullName),
      expect.stringContaining(person.companyName),
    ])
  })

  test('concurrent and repeated erasures of a customer have the same effect as a single erasure', async () => {
    const { customerId } = await aFormerCustomer()
    const all = await Promise.all(Array.from({ length: 5 }, () => erase(customerId)))
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(await erase(customerId)).toEqual(all[0])
    expect(await db().audit_entries.count({ where: { action: 'customer.erase', subject: customerId } })).toBe(6)
  })

  test('an erased customer gets no portal session, checkout, or email, and a new customer can have the email address', async () => {
    const scenario = await aFormerCustomer()
    const { customerId, key, planId } = scenario
    await erase(customerId)
    expect((await send(`POST /v1/customers/${customerId}/portal-sessions`, { key, body: {} })).status).toBe(404)
    const checkout = await send('POST /v1/checkouts', {
      key,
      body: {
        customerId,
        products: [{ id: planId }],
        locale: 'de',
        redirectUrlSuccess: 'https://example.com/a',
        redirectUrlCanceled: 'https://example.com/b',
      },
    })
    expect([checkout.status, Object.keys(checkout.body.errors ?? checkout.body.error?.errors ?? {})]).toEqual([
      422,
      ['customerId'],
    ])
    expect((await send(`PATCH /v1/customers/${customerId}`, { key, body: { name: 'Ada' } })).status).toBe(422)
    const [email] = await db().emails.findMany({ where: { storefront_id: scenario.shop.storefrontId } })
    await expect(resendEmail(email?.id ?? '')).rejects.toMatchObject({
      on: { email: [expect.stringMatching(/erased/)] },
    })
    const again = await send('POST /v1/customers', { key, body: { email: person.email } })
    expect([again.status, again.body.id === customerId]).toEqual([201, false])
  })
})

test('the payment provider erases the buyer’s data of payments that were made before the erasure', async () => {
  const forgotten: (readonly string[])[] = []
  const forgetBuyers = async (paymentIds: readonly string[]) => void forgotten.push(paymentIds)
  const provider = { ...registry.ofNewPayments.test, forgetBuyers } as PaymentProvider
  vi.spyOn(registry, 'providers', 'get').mockReturnValue([provider])
  const { customerId } = await aFormerCustomer()
  const paymentIds = (await paymentsOf(db(), customerId)).get(provider.name)
  expect(paymentIds).toHaveLength(2)
  await erase(customerId)
  const task = await db().tasks.findFirstOrThrow({ where: { name: forgetAtProvider.name } })
  expect(task.data).toEqual({ customerId, provider: provider.name, paymentIds })
  await drainTasks()
  expect(forgotten).toEqual([paymentIds])
})

test.each(['cancel', 'expire'] as const)(
  'after the checkout ends (%s), the database does not name a buyer who never paid',
  async (how) => {
    const { key, planId } = await subscriptionScenario()
    const stranger = JSON.parse(JSON.stringify(person).replaceAll(/canary/gi, `heron${how}`)) as typeof person
    const isNamed = new RegExp(`heron${how}`, 'i')
    const checkout = await factories.aCheckout(key, planId, {
      billingAddress: { fullName: stranger.fullName, country: 'DE' },
    })
    const token = tokenOf(checkout.links.checkoutUrl.href)
    await submitCheckout(token, buyerForm(stranger), germanVisitor)
    expect(await tablesWith(isNamed)).toEqual(expect.arrayContaining(['checkouts', 'orders']))
    if (how === 'cancel') await submitCheckout(token, new URLSearchParams({ intent: 'cancel' }), germanVisitor)
    else await pass({ key }, 'P2D')
    expect(await tablesWith(isNamed)).toEqual([])
    const order = await db().orders.findFirstOrThrow({ where: { checkout_id: checkout.id } })
    expect([order.status, order.customer_details]).toEqual([
      how === 'cancel' ? 'canceled' : 'expired',
      expect.objectContaining({ country: 'DE', fullName: null, email: null }),
    ])
  },
)

describe('a refused erasure', () => {
  test('erasing an unknown customer is refused', async () => {
    await expect(erase('customer_x')).rejects.toMatchObject({ on: { customer: [expect.any(String)] } })
    await expect(exportCustomer('customer_x')).rejects.toMatchObject({ on: { customer: [expect.any(String)] } })
  })

  test('a customer with an ongoing subscription cannot be erased', async () => {
    const scenario = await subscriptionScenario({ buyer: person })
    const before = await tablesWith(named)
    const refusal = { on: { customer: [`Cannot be erased until these end: ${scenario.id} is active.`] } }
    await expect(erase(scenario.customerId)).rejects.toMatchObject(refusal)
    expect(await tablesWith(named)).toEqual(before)
  })

  test('a customer with an open checkout or a pending refund cannot be erased', async () => {
    const { key, customerId, planId } = await aFormerCustomer()
    const checkout = await factories.aCheckout(key, planId, { customerId })
    await expect(erase(customerId)).rejects.toMatchObject({
      on: { customer: [`Cannot be erased until these end: ${checkout.id} is created.`] },
    })
    const [order] = (await send('GET /v1/orders', { key })).body.data
    const items = [{ itemId: order.lines[0].id, amount: factories.price('1.00') }]
    const refund = await send(`POST /v1/orders/${order.id}/refunds`, { key, body: { items } })
    await expect(erase(customerId)).rejects.toMatchObject({
      on: { customer: [expect.stringContaining(`${refund.body.id} is pending.`)] },
    })
  })
})

test('an export contains all data of a customer and no data of other customers', async () => {
  const scenario = await aFormerCustomer()
  const { customerId, key, planId } = scenario
  const other = await factories.pay(key, await factories.aCheckout(key, planId), { email: 'grace@example.com' })
  await drainTasks()
  await send(`POST /v1/customers/${customerId}/portal-sessions`, { key, body: {} })
  const feedback = { reason: 'other', comment: 'My canary left' } as const
  const bounce = { address: person.email, cause: 'bounce', reason: 'no mailbox', at: new Date() } as const
  await db().$transaction(async (sql) => {
    await saveFeedback(sql, scenario.shop.scope, { id: scenario.id, cancellationFeedback: feedback }, new Date())
    await suppress(sql, scenario.shop.scope, bounce)
  })
  const open = await factories.aCheckout(key, planId, { customerId })
  await submitCheckout(tokenOf(open.links.checkoutUrl.href), buyerForm({ ...person, country: '' }), germanVisitor)
  const everything = await exportCustomer(customerId)
  expect(everything).toMatchObject({
    customer: { id: customerId, email: person.email },
    subscriptions: [{ id: scenario.id }],
    orders: [
      { customerDetails: { fullName: person.fullName } },
      { customerDetails: { companyName: person.companyName } },
    ],
    erasedAt: null,
    portalSessions: [{ customerId }],
    checkouts: expect.arrayContaining([expect.objectContaining({ id: open.id })]),
    forms: expect.arrayContaining([
      expect.objectContaining({ of: scenario.id, prefilled: expect.objectContaining({ city: person.city }) }),
      expect.objectContaining({
        of: open.id,
        typed: expect.objectContaining({ form: expect.objectContaining({ city: person.city }) }),
      }),
    ]),
    cancellations: [{ subscriptionId: scenario.id, ...feedback }],
    suppressions: [{ address: person.email, cause: 'bounce', reason: 'no mailbox' }],
  })
  expect(everything.emails.map(({ to }) => to)).toEqual(everything.emails.map(() => person.email))
  expect(everything.emails.map(({ kind }) => kind)).toContain('receipt')
  const text = JSON.stringify(everything)
  expect(text).not.toContain('grace@example.com')
  expect(text).not.toContain(other.customerId)
})
