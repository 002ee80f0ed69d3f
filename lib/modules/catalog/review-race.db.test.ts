import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { refusals } from '../../kernel/refusal.ts'
import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { aPlan, aProduct, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import { aCheckout, aShop, buyerForm, germanVisitor, runDueTasks, type Shop, tokenOf } from '../../testing/shop.ts'
import { ask, pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { submitCheckout } from '../../workflows/sale/submit-checkout.ts'
import { chooseOutcome } from '../../workflows/test-payment-page/submit-test-payment.ts'
import { approveReview } from './operations.ts'

let shop: Shop
let planId: string
beforeEach(async () => {
  shop = await aShop({ at: '2026-12-01T00:00:00Z' })
  planId = (await aPlan(shop.testKey)).id
  const body = { interval: 'year', intervalCount: 1, name: 'Yearly', basePrice: price('99.00') }
  expect((await send(`PATCH /v1/subscription-plans/${planId}`, { key: shop.testKey, body })).status).toBe(200)
  await approvesAt(new Date('2999-01-01T00:00:00Z'))
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const plan = async () => (await send(`GET /v1/subscription-plans/${planId}`, { key: shop.testKey })).body
const eventNames = async () =>
  (await db().events.findMany({ where: { entity_id: planId }, orderBy: { id: 'asc' } })).map(({ name }) => name)
const approvesAt = (moment: Date) =>
  db().tasks.updateMany({ where: { name: { startsWith: 'catalog' } }, data: { run_at: moment } })
const approveAutomatically = async () => {
  await approvesAt(new Date(0))
  await runDueTasks()
}

async function atProvider(id: string): Promise<() => Promise<unknown>> {
  const { token } = await aCheckout(shop, [{ id }])
  const next = await submitCheckout(token, buyerForm(), germanVisitor)
  const outcome = new URLSearchParams({ outcome: 'paid', mandate: 'valid' })
  return () => chooseOutcome(tokenOf(next?.redirectTo ?? ''), outcome)
}
const sell = async (id: string) => {
  await (await atProvider(id))()
  await runDueTasks()
}

const still = { interval: 'month', name: 'Pro', pendingUpdates: null, updateStatus: null, status: 'active' }
const now = { interval: 'year', name: 'Yearly', pendingUpdates: null, updateStatus: null, status: 'active' }
const events = (decision: string) => ['subscription_plan.update_submitted', `subscription_plan.update_${decision}`]

describe('pending interval update', () => {
  it('an interval update is approved if nobody has bought the plan', async () => {
    expect(await approveReview(planId)).toMatchObject({ ...now, rejectionReason: null })
    expect(await eventNames()).toEqual(events('approved'))
  })

  it('in test mode, an interval update is rejected if somebody has bought the plan', async () => {
    await sell(planId)
    await approveAutomatically()
    expect(await plan()).toMatchObject(still)
    expect(await eventNames()).toEqual(events('rejected'))
    const body = { basePrice: price('99.00') }
    expect((await send(`PATCH /v1/subscription-plans/${planId}`, { key: shop.testKey, body })).status).toBe(200)
    await approveAutomatically()
    expect(await plan()).toMatchObject({ interval: 'month', basePrice: price('99.00') })
  })

  it('an approval of an interval update becomes a rejection if somebody has bought the plan', async () => {
    await sell(planId)
    expect(await approveReview(planId)).toMatchObject({ ...still, rejectionReason: refusals.plan_in_use.message })
    expect(await eventNames()).toEqual(events('rejected'))
  })

  it('an interval update of a plan is rejected if a subscription has changed to this plan', async () => {
    const scenario = await subscriptionScenario()
    const team = await aPlan(scenario.key)
    const yearly = { interval: 'year', intervalCount: 1 }
    await send(`PATCH /v1/subscription-plans/${team.id}`, { key: scenario.key, body: yearly })
    await approvesAt(new Date('2999-01-01T00:00:00Z'))
    const body = { subscriptionPlanId: team.id, applyImmediately: true, prorate: false }
    expect(await ask(scenario, 'PATCH /v1/subscriptions/{id}', body)).toMatchObject({ status: 200 })
    expect(await approveReview(team.id)).toMatchObject(still)
  })

  describe('scheduled subscription change', () => {
    async function scheduled(): Promise<{ scenario: Scenario; teamId: string }> {
      const scenario = await subscriptionScenario()
      const { id: teamId } = await aPlan(scenario.key)
      const yearly = { interval: 'year', intervalCount: 1 }
      await send(`PATCH /v1/subscription-plans/${teamId}`, { key: scenario.key, body: yearly })
      await approvesAt(new Date('2999-01-01T00:00:00Z'))
      await changeTo(scenario, teamId)
      return { scenario, teamId }
    }
    const changeTo = async (scenario: Scenario, subscriptionPlanId: string, more = {}) =>
      expect(await ask(scenario, 'PATCH /v1/subscriptions/{id}', { subscriptionPlanId, ...more })).toMatchObject({
        status: 200,
      })

    it('an interval update of a plan is rejected while a subscription is scheduled to change to this plan', async () => {
      const { teamId } = await scheduled()
      expect(await approveReview(teamId)).toMatchObject(still)
    })

    it('an interval update of a plan is approved after the scheduled change to the plan is withdrawn', async () => {
      const { scenario, teamId } = await scheduled()
      await changeTo(scenario, scenario.planId)
      expect(await approveReview(teamId)).toMatchObject({ interval: 'year', updateStatus: null })
    })

    it('an interval update of a plan is rejected if a subscription had this plan in the past', async () => {
      const { scenario, teamId } = await scheduled()
      await pass(scenario, 'P1M')
      await changeTo(scenario, scenario.planId, { applyImmediately: true, prorate: false })
      expect(await db().subscriptions.count({ where: { subscription_plan_id: teamId } })).toBe(0)
      expect(await approveReview(teamId)).toMatchObject(still)
    })
  })

  it('an approval of an interval update waits for a concurrent sale, and then rejects the update because of the sale', async () => {
    await sell((await aProduct(shop.testKey)).id)
    const pay = await atProvider(planId)
    // The lock pauses the sale after the insert of the subscription and before the commit.
    const hold = {
      sql: 'SELECT 1 FROM ledger_accounts WHERE storefront_id = $1 FOR UPDATE',
      values: [shop.storefrontId],
    }
    const racers: (() => Promise<unknown>)[] = [pay, () => approveReview(planId)]
    const ends = await raceBehind(hold, racers, 2, undefined, { inTurn: true })
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await plan()).toMatchObject(still)
    expect(await eventNames()).toEqual(events('rejected'))
  })

  it.each([0, 1])(
    'if an approval and a sale run concurrently, the transaction that locks the plan first wins (case %i)',
    async (first) => {
      const pay = await atProvider(planId)
      const hold = { sql: 'SELECT 1 FROM products WHERE id = $1 FOR UPDATE', values: [planId] }
      const racers: (() => Promise<unknown>)[] = [pay, () => approveReview(planId)]
      await raceBehind(hold, first ? racers.reverse() : racers, 2, undefined, { inTurn: true })
      expect(await db().subscriptions.findMany({ where: { subscription_plan_id: planId } })).toMatchObject([
        { interval: 'month', status: 'active' },
      ])
      expect(await plan()).toMatchObject(first ? now : still)
      expect(await eventNames()).toEqual(events(first ? 'approved' : 'rejected'))
    },
  )
})
