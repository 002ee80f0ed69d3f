import { afterAll, describe, expect, test } from 'vitest'
import { db } from '@/lib/platform/db/db.ts'
import { send } from '@/lib/testing/api.ts'
import { aLink, save as saveDetails } from '@/lib/testing/billing-update.ts'
import { aPlan, price } from '@/lib/testing/factories.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { lockOn } from '@/lib/testing/lock-on.ts'
import { changeable, confirmChange, shownChange } from '@/lib/testing/portal-change.ts'
import { raceBehind } from '@/lib/testing/race-behind.ts'
import { advanceWithoutTasks } from '@/lib/testing/scenarios.ts'
import { runDueTasks, stopClock } from '@/lib/testing/shop.ts'
import { invoiced } from '@/lib/testing/subscription-changes.ts'
import {
  ask,
  clockTo,
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
} from '@/lib/testing/subscription-scenario.ts'
import { raise } from '@/lib/workflows/chargeback/operations.ts'
import { pauseTyped, unpauseTyped } from '@/lib/workflows/subscription-change/operations.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const five = { quantity: 5, ...invoiced }
const preview = (scenario: Scenario, body: object) => ask(scenario, 'POST /v1/subscriptions/{id}/preview', body)
const change = (scenario: Scenario, body: object) => ask(scenario, 'PATCH /v1/subscriptions/{id}', body)

async function made(scenario: Scenario, line: string, body?: object) {
  const reply = await ask(scenario, line, body)
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
  return reply.body
}
const changed = (scenario: Scenario, body: object) => made(scenario, 'PATCH /v1/subscriptions/{id}', body)

async function previewed(scenario: Scenario, body: object = five) {
  const reply = await preview(scenario, body)
  expect(reply).toMatchObject({ status: 200, body: { refusal: null } })
  return reply.body
}

/**
 * A subscription that is five days old: 3 units at 10.00 each, with 19 % tax. The clock is stopped, so everything
 * happens in one second.
 */
async function inOneSecond(of: Parameters<typeof subscriptionScenario>[0] = {}): Promise<Scenario> {
  const scenario = await subscriptionScenario({
    at: '2027-06-01T00:00:00Z',
    plan: { basePrice: price('10.00') },
    item: { quantity: 3 },
    buyer: { country: 'DE', taxId: '' },
    ...of,
  })
  await clockTo(scenario.key, '2027-06-06T00:00:00Z')
  await stopClock(scenario.shop)
  return scenario
}

async function continued({ shop }: Scenario): Promise<void> {
  await db().clocks.update({
    where: { storefront_id: shop.storefrontId },
    data: { frozen_at: null, advancing_to: null, runner_id: null, advance_leased_until: null },
  })
}

const totalsOf = async (scenario: Scenario): Promise<object[]> =>
  (await ordersOf(scenario)).map(({ total }: Order) => total)
interface Order {
  readonly total: object
}

/** Checks that the change is refused, and that the refusal charges and changes nothing. */
async function expectRefused(scenario: Scenario, body: object, errors: object = staleAsOf): Promise<void> {
  const [before, charged] = [await subscriptionOf(scenario), await totalsOf(scenario)]
  expect(await change(scenario, body)).toMatchObject({ status: 422, body: { errors } })
  expect(await subscriptionOf(scenario)).toEqual(before)
  expect(await totalsOf(scenario)).toEqual(charged)
}
const staleAsOf = { asOf: [expect.stringContaining('Preview the change again.')] }

async function expectCharged(scenario: Scenario, body: object, shown: { dueNow: { total: object } }): Promise<void> {
  const charged = await totalsOf(scenario)
  await changed(scenario, body)
  expect(await totalsOf(scenario)).toEqual([...charged, shown.dueNow.total])
}

const firstOrderId = async (scenario: Scenario): Promise<string> => (await ordersOf(scenario))[0].id
const forward = 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal'

/** After each of these changes, an immediate change to five units is still possible. */
const changes: Record<string, (scenario: Scenario) => Promise<unknown>> = {
  'a new quantity': (scenario) => changed(scenario, { quantity: 4, ...invoiced }),
  'a new price': (scenario) => changed(scenario, { price: price('30.00'), applyImmediately: true, prorate: false }),
  'a scheduled price': (scenario) => changed(scenario, { price: price('30.00') }),
  'a cancellation': (scenario) => made(scenario, 'DELETE /v1/subscriptions/{id}'),
  'an early renewal': (scenario) => made(scenario, forward, { paymentStatus: 'paid' }),
  'a partial refund': async (scenario) => {
    const { id, lines } = (await ordersOf(scenario))[0]
    const items = [{ itemId: lines[0].id, amount: price('12.00') }]
    await made(scenario, `POST /v1/orders/${id}/refunds`, { items })
  },
  'a partial dispute': async (scenario) => {
    await raise(await firstOrderId(scenario), { amount: '11.90', reason: 'fraud' })
    await drainTasks()
  },
  'a new tax ID': async (scenario) => {
    await saveDetails(await aLink(scenario), { taxId: 'DE1' })
    await drainTasks()
  },
}
const names = Object.keys(changes)
/** A change of the subscription, and a change of what was paid for it. */
const some = ['a new quantity', 'a partial refund']

describe('a change with the asOf of its preview', () => {
  test.each(some)(
    'after %s in the second of a preview, a change with the asOf of the preview is refused, also five minutes later',
    async (name) => {
      const scenario = await inOneSecond()
      const { asOf } = await previewed(scenario)
      await changes[name]?.(scenario)
      await expectRefused(scenario, { ...five, asOf })
      await continued(scenario)
      await pass(scenario, 'PT5M')
      await expectRefused(scenario, { ...five, asOf })
    },
  )

  test.each(some)(
    'a change with the asOf of a preview is charged as previewed, even if %s preceded the preview in the same second',
    async (name) => {
      const scenario = await inOneSecond()
      await changes[name]?.(scenario)
      const shown = await previewed(scenario)
      await expectCharged(scenario, { ...five, asOf: shown.asOf }, shown)
    },
  )

  test.each(names)(
    'after %s in the second of a preview, a new preview of the same change has a later asOf',
    async (name) => {
      const scenario = await inOneSecond()
      const old = await previewed(scenario)
      await changes[name]?.(scenario)
      const shown = await previewed(scenario)
      expect(shown).not.toMatchObject({ dueNow: old.dueNow, nextRenewal: old.nextRenewal })
      expect(Date.parse(shown.asOf)).toBe(Date.parse(old.asOf) + 1000)
      await expectRefused(scenario, { ...five, asOf: old.asOf })
      expect((await previewed(scenario)).asOf).toBe(shown.asOf)
      expect(await previewed(scenario, { ...five, asOf: shown.asOf })).toEqual(shown)
      await expectCharged(scenario, { ...five, asOf: shown.asOf }, shown)
    },
  )

  test('a change with the asOf of a preview is refused after a renewal in the second of the preview', async () => {
    const scenario = await inOneSecond()
    await continued(scenario)
    await clockTo(scenario.key, '2027-06-30T23:50:00Z')
    await advanceWithoutTasks(scenario, { minutes: 20 })
    await stopClock(scenario.shop)
    const { asOf } = await previewed(scenario)
    await runDueTasks()
    expect((await subscriptionOf(scenario)).renewedUntil).toMatch(/^2027-08-01T00:00:/)
    await expectRefused(scenario, { ...five, asOf })
  })

  test('if a subscription is paused right after a preview, the previewed change is refused until the pause ends, and then charged as previewed', async () => {
    const scenario = await inOneSecond()
    const shown = await previewed(scenario)
    await pauseTyped(scenario.id)
    await expectRefused(scenario, { ...five, asOf: shown.asOf }, { applyImmediately: expect.anything() })
    await unpauseTyped(scenario.id)
    await expectCharged(scenario, { ...five, asOf: shown.asOf }, shown)
  })

  test('during a pause, repeating a preview with its asOf returns the refusal of the previewed change', async () => {
    const scenario = await inOneSecond()
    const { asOf } = await previewed(scenario)
    await pauseTyped(scenario.id)
    const { status, body } = await preview(scenario, { ...five, asOf })
    const refusal = { code: 'validation_failed', errors: { applyImmediately: expect.anything() } }
    expect([status, body]).toMatchObject([200, { dueNow: null, nextRenewal: null, refusal, asOf }])
  })

  test('a change with the asOf of a preview is refused if the customer changed the subscription in the second of the preview', async () => {
    const given = await changeable()
    await stopClock(given.scenario.shop)
    const { asOf } = await previewed(given.scenario)
    expect((await confirmChange(given, await shownChange(given, { quantity: '4' })))?.redirectTo).toMatch(
      /done=changed$/,
    )
    await expectRefused(given.scenario, { ...five, asOf })
  })

  test('a change with the asOf of a preview is refused if the target plan got a new price after the preview', async () => {
    const scenario = await inOneSecond()
    await continued(scenario)
    const { id } = await aPlan(scenario.key, { basePrice: price('20.00') })
    const body = { subscriptionPlanId: id, ...invoiced }
    const shown = await previewed(scenario, body)
    await made(scenario, `PATCH /v1/subscription-plans/${id}`, { basePrice: price('25.00') })
    await db().tasks.updateMany({ where: { name: 'catalog.approve_in_test_mode' }, data: { run_at: new Date() } })
    await drainTasks()
    expect((await previewed(scenario, body)).nextRenewal.subtotal).toEqual(price('75.00'))
    await expectRefused(scenario, { ...body, asOf: shown.asOf })
  })

  test('a change with the asOf of a preview is refused if the same change was already made in the second of the preview', async () => {
    const scenario = await inOneSecond()
    const shown = await previewed(scenario)
    await expectCharged(scenario, { ...five, asOf: shown.asOf }, shown)
    await expectRefused(scenario, { ...five, asOf: shown.asOf })
  })

  test('a change is charged as previewed even if only the PATCH, and not the preview, contains metadata and default values', async () => {
    const scenario = await inOneSecond()
    await changed(scenario, { quantity: 4, ...invoiced })
    const shown = await previewed(scenario)
    const body = { ...five, metadata: { seats: 'five' }, prorate: true, price: null, asOf: shown.asOf }
    await expectCharged(scenario, body, shown)
    expect((await subscriptionOf(scenario)).metadata).toEqual({ seats: 'five' })
  })

  test('if the subscription was updated in the second of asOf, a change with the asOf of another change’s preview is refused', async () => {
    const scenario = await inOneSecond()
    await changed(scenario, { quantity: 4, ...invoiced })
    const { asOf } = await previewed(scenario, { quantity: 6, ...invoiced })
    await expectRefused(scenario, { ...five, asOf })
    await continued(scenario)
    await pass(scenario, 'PT1M')
    const later = await previewed(scenario, { quantity: 6, ...invoiced })
    await pass(scenario, 'PT1M')
    await changed(scenario, { ...five, asOf: later.asOf })
  })

  test('if a preview is computed while another change waits for the lock, the previewed change is refused or charged as previewed', async () => {
    const scenario = await inOneSecond()
    let shown = { asOf: '' }
    const hold = { sql: 'SELECT 1 FROM subscriptions WHERE id = $1 FOR NO KEY UPDATE', values: [scenario.id] }
    const other = { quantity: 4, ...invoiced }
    const [first] = await raceBehind(
      hold,
      [() => send(`PATCH /v1/subscriptions/${scenario.id}`, { key: scenario.key, body: other })],
      1,
      async () => {
        shown = await previewed(scenario)
      },
    )
    expect(first).toMatchObject({ status: 'fulfilled', value: { status: 200 } })
    await drainTasks()
    await expectRefused(scenario, { ...five, asOf: shown.asOf })
  })

  test('two concurrent PATCH requests with the asOf of one preview make one charge, which equals the preview', async () => {
    const scenario = await inOneSecond()
    const shown = await previewed(scenario)
    const body = { ...five, asOf: shown.asOf }
    const charged = await totalsOf(scenario)
    const patch = () => send(`PATCH /v1/subscriptions/${scenario.id}`, { key: scenario.key, body })
    const ends = await raceBehind(lockOn('subscriptions', scenario.id), [patch, patch])
    await drainTasks()
    const statuses = ends.map((end) => (end.status === 'fulfilled' ? end.value.status : end.reason))
    expect(statuses.sort()).toEqual([200, 422])
    expect(await totalsOf(scenario)).toEqual([...charged, shown.dueNow.total])
  })

  test('concurrent previews of one change have the same amounts and the same asOf', async () => {
    const scenario = await inOneSecond()
    const previews = await Promise.all(Array.from({ length: 5 }, () => previewed(scenario)))
    for (const each of previews) expect(each).toEqual(previews[0])
  })
})
