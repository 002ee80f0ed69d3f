import { afterAll, describe, expect, it } from 'vitest'
import { commandLine } from '../../modules/audit/command-line.ts'
import { changeSubscription } from '../../modules/subscriptions/contract.ts'
import { db } from '../../platform/db/db.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { eventsOf } from '../../testing/shop.ts'
import {
  ask,
  drainTasks,
  ordersOf,
  pass,
  subscriptionOf,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { declineMandate } from '../test-helpers/mandates.ts'
import { change, pause, pauseTyped, unpause, unpauseTyped } from './operations.ts'
import { previewOf } from './preview.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

describe('a subscription', () => {
  it('a subscription that begins on 31 January is billed on 28 February and 31 March', async () => {
    const scenario = await subscriptionScenario({ at: '2027-01-31T10:00:00Z' })
    await pass(scenario, 'P3M')
    expect(
      (await ordersOf(scenario)).map((order: { status: string; createdAt: string }) => [
        order.status,
        order.createdAt.slice(0, 16),
      ]),
    ).toEqual([
      ['paid', '2027-01-31T10:00'],
      ['paid', '2027-02-28T10:00'],
      ['paid', '2027-03-31T10:00'],
      ['paid', '2027-04-30T10:00'],
    ])
    expect(await subscriptionOf(scenario)).toMatchObject({
      status: 'active',
      renewedAt: expect.stringContaining('2027-04-30T10:00'),
      renewedUntil: expect.stringContaining('2027-05-31T10:00'),
    })
    const renewal = ['subscription.updated', 'order.paid']
    expect((await eventsOf(scenario.shop)).slice(3)).toEqual([...renewal, ...renewal, ...renewal])
  })

  it('a subscription with an expired card is canceled after a week of emails', async () => {
    const scenario = await subscriptionScenario()
    const failed = { paymentStatus: 'failed', failureReason: 'card_expired' }
    await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal', failed)
    await pass(scenario, 'P7D')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'payment_failure' })
    expect((await eventsOf(scenario.shop)).slice(3)).toEqual([
      'subscription.updated',
      'order.payment_failed',
      'order.canceled',
      'subscription.canceled_for_nonpayment',
    ])
  })

  it('a simulated payment can pay an order of a fast-forwarded renewal even after the subscription has ended', async () => {
    const scenario = await subscriptionScenario()
    await ask(scenario, 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal')
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await pass(scenario, 'P2M1D')
    expect((await subscriptionOf(scenario)).status).toBe('canceled')
    const [, renewal] = await ordersOf(scenario)
    expect(renewal.status).toBe('pending')
    await ask(scenario, `POST /v1/test-helpers/orders/${renewal.id}/simulate-payment`, { paymentStatus: 'paid' })
    expect((await ordersOf(scenario))[1].status).toBe('paid')
  })

  it('after a cancellation during a recovery, the unpaid renewal is canceled when the subscription ends', async () => {
    const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P7D')
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await pass(scenario, 'P8D')
    expect(await subscriptionOf(scenario)).toMatchObject({ status: 'canceled', cancellationReason: 'merchant_request' })
    expect((await ordersOf(scenario)).map(({ status }: { status: string }) => status)).toEqual(['paid', 'canceled'])
    expect((await eventsOf(scenario.shop)).slice(-2)).toEqual([
      'order.canceled',
      'subscription.cancellation_grace_period_completed',
    ])
  })

  it('a subscription billed early is not charged for the time of a later pause', async () => {
    const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
    const path = 'POST /v1/test-helpers/subscriptions/{id}/fast-forward-renewal'
    expect((await ask(scenario, path, { paymentStatus: 'paid' })).status).toBe(200)
    await drainTasks()
    await pauseTyped(scenario.id)
    await pass(scenario, 'P20D')
    await unpauseTyped(scenario.id)
    await drainTasks()
    expect(await ordersOf(scenario)).toHaveLength(3)
  })

  it('the audit log names the caller who pauses a subscription by the command line, and omits pauses by the API', async () => {
    const { shop, id } = await subscriptionScenario()
    const context = { storefrontId: shop.storefrontId, testmode: true }
    const entries = () => db().audit_entries.findMany({ where: { subject: id }, orderBy: { seq: 'asc' } })
    expect(await pause(context, id)).toMatchObject({ status: 'paused' })
    expect(await unpause(context, id)).toMatchObject({ status: 'active' })
    expect(await entries()).toEqual([])
    await pauseTyped(id)
    await unpauseTyped(id)
    const { kind, id: actor } = commandLine()
    const typed = { actor_kind: kind, actor_id: actor }
    expect(await entries()).toMatchObject([
      { ...typed, action: 'subscription.pause' },
      { ...typed, action: 'subscription.unpause' },
    ])
  })

  it('a subscription change saves the metadata of the request, even if the caller has already computed the effect of the change', async () => {
    const scenario = await subscriptionScenario({ item: { quantity: 3 } })
    const body = changeSubscription.body?.parse({ quantity: 5, metadata: { seats: 'five' } }) ?? expect.fail()
    await change(scenario.shop.scope, scenario.id, body, async (tx, before, asked) => ({
      at: tx.now,
      decided: (await previewOf(tx, before, asked, tx.now)).decided,
    }))
    expect(await subscriptionOf(scenario)).toMatchObject({
      metadata: { seats: 'five' },
      scheduledUpdate: { quantity: 5 },
    })
  })
})
