import { afterEach, describe, expect, test } from 'vitest'
import { resendEmail } from '../../modules/emails/operations.ts'
import { sealedAt } from '../../modules/emails/store.ts'
import { unseal } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { buyerForm, germanVisitor, tokenOf } from '../../testing/shop.ts'
import { ask, pass, type Scenario, settle, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { submit } from '../sale/hosted.ts'
import { chooseOutcome } from '../test-payment-page/hosted.ts'
import { erase } from './operations.ts'

afterEach(async () => expect(await brokenInvariants()).toEqual({}))

const email = 'ada@example.com'

async function aFormerCustomer(): Promise<Scenario> {
  const scenario = await subscriptionScenario({ buyer: { email } })
  await ask(scenario, 'DELETE /v1/subscriptions/{id}?immediately=true')
  await settle()
  return scenario
}

/** A checkout without a customer, with the buyer at the payment provider. Returns the way back from there. */
async function atProvider({ key, planId }: Scenario): Promise<() => Promise<unknown>> {
  const checkout = await factories.aCheckout(key, planId)
  const next = await submit(tokenOf(checkout.links.checkoutUrl.href), buyerForm({ email }), germanVisitor)
  const paid = new URLSearchParams({ outcome: 'paid', mandate: 'valid' })
  return () => chooseOutcome(tokenOf(next?.redirectTo ?? ''), paid)
}

/** Both begin behind a lock of the customer, in this order. */
const race = ({ customerId }: Scenario, racers: (() => Promise<unknown>)[]) =>
  raceBehind(lockOn('customers', customerId), racers, racers.length, undefined, { inTurn: true })

const contractsOf = (customerId: string) =>
  db().subscriptions.count({ where: { customer_id: customerId, status: { not: 'canceled' } } })
const erasedAtOf = async (customerId: string) =>
  (await db().customers.findUniqueOrThrow({ where: { id: customerId } })).erased_at

describe('an erasure', () => {
  test('before a sale to the same address: the sale makes a new customer', async () => {
    const scenario = await aFormerCustomer()
    const pay = await atProvider(scenario)
    const ends = await race(scenario, [() => erase(scenario.customerId), pay])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await contractsOf(scenario.customerId)).toBe(0)
    const { body } = await send(`GET /v1/customers?email=${email}`, { key: scenario.key })
    expect(body.data).toHaveLength(1)
    expect(await contractsOf(body.data[0].id)).toBe(1)
  })

  test('behind a sale to the same address: it is refused', async () => {
    const scenario = await aFormerCustomer()
    const pay = await atProvider(scenario)
    const [paid, erased] = await race(scenario, [pay, () => erase(scenario.customerId)])
    expect(paid?.status).toBe('fulfilled')
    expect(erased).toMatchObject({ reason: { on: { customer: [expect.stringMatching(/ is active\.$/)] } } })
    expect(await contractsOf(scenario.customerId)).toBe(1)
    expect(await erasedAtOf(scenario.customerId)).toBeNull()
  })

  test('before a new checkout of the customer: there is no checkout', async () => {
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

  test('before a new link to the portal: there is no link', async () => {
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

test('an erasure unseals in its transaction only the emails written since, and empties those too', async () => {
  const scenario = await aFormerCustomer()
  await pass(scenario, 'P1D')
  const emails = () =>
    db().emails.findMany({ where: { storefront_id: scenario.shop.storefrontId }, orderBy: { id: 'asc' } })
  const [first] = await emails()
  const id = first?.id ?? ''
  const hold = lockOn('customers', scenario.customerId)
  const [erased] = await raceBehind(hold, [() => erase(scenario.customerId)], 1, async () => {
    await resendEmail(id)
    // Whatever would read it fails.
    await db().emails.update({ where: { id }, data: { sealed: Buffer.from('unreadable') } })
  })
  expect(erased).toMatchObject({ status: 'fulfilled' })
  const readers = (await emails()).map((row) => JSON.parse(unseal(row.sealed, sealedAt(row.id))).to)
  expect(readers.length).toBeGreaterThan(1)
  expect(readers).not.toContain(email)
})

test('sales to one customer do not wait for each other', async () => {
  const scenario = await aFormerCustomer()
  const pay = await atProvider(scenario)
  // As a sale holds the customer that has just saved their time zone.
  const hold = { sql: 'SELECT 1 FROM customers WHERE id = $1 FOR NO KEY UPDATE', values: [scenario.customerId] }
  let isPaid = false
  const paying = () => pay().then(() => (isPaid = true))
  await raceBehind(hold, [paying], 0, () => expect.poll(() => isPaid, { timeout: 30_000 }).toBe(true))
  expect(await contractsOf(scenario.customerId)).toBe(1)
})
