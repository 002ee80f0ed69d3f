import { afterAll, describe, expect, test } from 'vitest'
import { resendEmail } from '../../modules/emails/operations.ts'
import { sealedAt } from '../../modules/emails/store.ts'
import { transact } from '../../modules/events/transact.ts'
import { emailChangePath } from '../../modules/portal/email-changes.ts'
import { makeSession, portalLinkPath, portalSignInPath } from '../../modules/portal/link.ts'
import { unseal } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { portalCookies, portalVisitor } from '../../testing/portal.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { buyerForm, germanVisitor, runDueTasks, tokenOf } from '../../testing/shop.ts'
import { ask, drainTasks, pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { submitEmail, submitEmailChange } from '../email-change/submit-email-change.ts'
import { enter } from '../portal/enter.ts'
import { loadPortalLink, portalLinkPage } from '../portal-sign-in/load-sign-in.ts'
import { submitPortalLink, submitPortalSignIn } from '../portal-sign-in/submit-sign-in.ts'
import { submitCheckout } from '../sale/submit-checkout.ts'
import { chooseOutcome } from '../test-payment-page/submit-test-payment.ts'
import { erase } from './operations.ts'

afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const email = 'ada@example.com'

async function aFormerCustomer(): Promise<Scenario> {
  const scenario = await subscriptionScenario({ buyer: { email } })
  await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
  await drainTasks()
  return scenario
}

async function atProvider({ key, planId }: Scenario): Promise<() => Promise<unknown>> {
  const checkout = await factories.aCheckout(key, planId)
  const next = await submitCheckout(tokenOf(checkout.links.checkoutUrl.href), buyerForm({ email }), germanVisitor)
  const paid = new URLSearchParams({ outcome: 'paid', mandate: 'valid' })
  return () => chooseOutcome(tokenOf(next?.redirectTo ?? ''), paid)
}

const race = ({ customerId }: Scenario, racers: (() => Promise<unknown>)[]) =>
  raceBehind(lockOn('customers', customerId), racers, racers.length, undefined, { inTurn: true })

const contractsOf = (customerId: string) =>
  db().subscriptions.count({ where: { customer_id: customerId, status: { not: 'canceled' } } })
const erasedAtOf = async (customerId: string) =>
  (await db().customers.findUniqueOrThrow({ where: { id: customerId } })).erased_at

describe('an erasure during another change', () => {
  test('a sale to the email address of an erased customer creates a new customer', async () => {
    const scenario = await aFormerCustomer()
    const pay = await atProvider(scenario)
    const ends = await race(scenario, [() => erase(scenario.customerId), pay])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await contractsOf(scenario.customerId)).toBe(0)
    const { body } = await send(`GET /v1/customers?email=${email}`, { key: scenario.key })
    expect(body.data).toHaveLength(1)
    expect(await contractsOf(body.data[0].id)).toBe(1)
  })

  test('an erasure is refused after a concurrent sale to the customer’s email address', async () => {
    const scenario = await aFormerCustomer()
    const pay = await atProvider(scenario)
    const [paid, erased] = await race(scenario, [pay, () => erase(scenario.customerId)])
    expect(paid?.status).toBe('fulfilled')
    expect(erased).toMatchObject({ reason: { on: { customer: [expect.stringMatching(/ is active\.$/)] } } })
    expect(await contractsOf(scenario.customerId)).toBe(1)
    expect(await erasedAtOf(scenario.customerId)).toBeNull()
  })

  test('no checkout is created during the erasure of its customer', async () => {
    const scenario = await aFormerCustomer()
    const { key, planId, customerId } = scenario
    const body = factories.checkoutBody(planId, { customerId })
    const [erased, checkout] = await race(scenario, [
      () => erase(customerId),
      () => send('POST /v1/checkouts', { key, body }),
    ])
    expect(erased?.status).toBe('fulfilled')
    expect(checkout).toMatchObject({
      value: { status: 422, body: { errors: { customerId: [expect.stringContaining('erased')] } } },
    })
    expect(await db().checkouts.count({ where: { customer_id: customerId, status: 'created' } })).toBe(0)
  })

  test('no portal link is created or sent during the erasure of the customer', async () => {
    const scenario = await aFormerCustomer()
    const { shop, customerId } = scenario
    await submitPortalSignIn(tokenOf(portalSignInPath(shop.scope)), new URLSearchParams({ email }))
    const [, sent] = await race(scenario, [() => erase(customerId), runDueTasks])
    expect(sent).toMatchObject({ status: 'fulfilled' })
    expect(await db().portal_sessions.count({ where: { customer_id: customerId } })).toBe(0)
    expect(await db().emails.count({ where: { kind: 'portal_link', storefront_id: shop.storefrontId } })).toBe(0)
  })

  test('if a customer requests a new email address during the erasure, the request is not stored, and no email is sent', async () => {
    const scenario = await aFormerCustomer()
    const { shop, customerId } = scenario
    const cookies = await portalCookies(scenario)
    const typed = new URLSearchParams({ email: 'ada@new.example' })
    const [, wished] = await race(scenario, [() => erase(customerId), () => submitEmail(typed, cookies)])
    expect(wished).toEqual({ status: 'fulfilled', value: null })
    await drainTasks()
    expect(await db().email_changes.count({ where: { customer_id: customerId } })).toBe(0)
    expect(await db().emails.count({ where: { kind: 'email_change', storefront_id: shop.storefrontId } })).toBe(0)
  })

  test('confirming a new email address during an erasure does not give the erased customer the new address', async () => {
    const scenario = await aFormerCustomer()
    const { customerId } = scenario
    await submitEmail(new URLSearchParams({ email: 'ada@new.example' }), await portalCookies(scenario))
    const change = await db().email_changes.findFirstOrThrow({ where: { customer_id: customerId } })
    const token = tokenOf(emailChangePath(change.id))
    const confirm = () => submitEmailChange(token, new URLSearchParams(), portalVisitor(null))
    await drainTasks()
    await race(scenario, [() => erase(customerId), confirm])
    const { email: now } = await db().customers.findUniqueOrThrow({ where: { id: customerId } })
    expect(now).toBe(`${customerId.toLowerCase()}@erased.invalid`)
  })

  test('a portal session or portal link of an erased customer opens no page', async () => {
    const scenario = await aFormerCustomer()
    const { shop, customerId } = scenario
    const cookies = await portalCookies(scenario)
    const sessions = await db().portal_sessions.findMany({ where: { customer_id: customerId } })
    await erase(customerId)
    await db().portal_sessions.createMany({ data: sessions })
    expect(await enter(cookies)).toBeNull()
    const { id } = await transact(shop.scope, (tx) => makeSession(tx, { customerId, returnUrl: null }, 'email'))
    const token = tokenOf(portalLinkPath(id))
    expect(await portalLinkPage(token, portalVisitor(null))).toBeNull()
    expect(await submitPortalLink(token, new URLSearchParams())).toBeNull()
    expect((await loadPortalLink(token, germanVisitor)).status).toBe(404)
  })

  test('no portal link is created after an erasure', async () => {
    const scenario = await aFormerCustomer()
    const { key, customerId } = scenario
    const [, link] = await race(scenario, [
      () => erase(customerId),
      () => send(`POST /v1/customers/${customerId}/portal-sessions`, { key, body: {} }),
    ])
    expect(link).toMatchObject({ value: { status: 404 } })
    expect(await db().portal_sessions.count({ where: { customer_id: customerId } })).toBe(0)
  })
})

test('an erasure removes an email even if the email is being resent', async () => {
  const scenario = await aFormerCustomer()
  await pass(scenario, 'P1D')
  const emails = () =>
    db().emails.findMany({ where: { storefront_id: scenario.shop.storefrontId }, orderBy: { id: 'asc' } })
  const [first] = await emails()
  const id = first?.id ?? ''
  const hold = lockOn('customers', scenario.customerId)
  const [erased] = await raceBehind(hold, [() => erase(scenario.customerId)], 1, async () => {
    await resendEmail(id)
  })
  expect(erased).toMatchObject({ status: 'fulfilled' })
  const readers = (await emails()).map((row) => JSON.parse(unseal(row.sealed, sealedAt(row.id))).to)
  expect(readers.length).toBeGreaterThan(1)
  expect(readers).not.toContain(email)
})

test('concurrent sales to one customer do not wait for each other', async () => {
  const scenario = await aFormerCustomer()
  const pay = await atProvider(scenario)
  // This lock simulates another sale, which holds the lock on the customer after it saves the customer's time zone.
  const hold = { sql: 'SELECT 1 FROM customers WHERE id = $1 FOR NO KEY UPDATE', values: [scenario.customerId] }
  let isPaid = false
  const paying = () => pay().then(() => (isPaid = true))
  await raceBehind(hold, [paying], 0, () => expect.poll(() => isPaid, { timeout: 30_000 }).toBe(true))
  expect(await contractsOf(scenario.customerId)).toBe(1)
})
