import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAudit } from '../modules/audit/operations.ts'
import type { SubscriptionAction } from '../modules/subscriptions/page.ts'
import { brokenInvariants } from '../testing/invariants.ts'
import { anOperator } from '../testing/operator.ts'
import { retryDay, writtenOffDay } from '../testing/recovery-days.ts'
import {
  drainTasks,
  ordersOf,
  pass,
  type Scenario,
  subscriptionOf,
  subscriptionScenario,
  untilFirstRetry,
} from '../testing/subscription-scenario.ts'
import { declineMandate } from '../workflows/test-helpers/mandates.ts'
import * as admin from './pages.ts'

let cookies: string | null = null

beforeAll(async () => {
  ;({ cookies } = await anOperator('acts@example.com'))
})

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
  expect((await verifyAudit()).brokenAt).toBeNull()
})

const place = ({ shop }: Pick<Scenario, 'shop'>) => ({ mode: 'test', storefrontId: shop.storefrontId })
const form = (fields: Record<string, string>) => new URLSearchParams(fields)

const pageOf = async (scenario: Scenario) => {
  const page = await admin.subscriptionPage(place(scenario), scenario.id, cookies)
  if (!page) throw new Error('there is no such page')
  return page
}

async function formOf(scenario: Scenario, action: SubscriptionAction): Promise<URLSearchParams> {
  const found = (await pageOf(scenario)).actions.find((each) => each.action === action)
  if (!found) throw new Error(`${action} is not offered`)
  return form({ intent: action, key: found.formKey, terms: found.terms })
}

const post = async (scenario: Scenario, sent: URLSearchParams) =>
  (await admin.submitSubscription(place(scenario), scenario.id, sent, cookies))?.redirectTo.split('?').at(-1)

describe('a subscription in recovery', () => {
  const total = { value: '121.00', currency: 'EUR' }

  /** Matches the first ten seconds of a day, because the buyer pays a second or two after midnight. */
  const on = (day: string) => expect.stringMatching(new RegExp(`^${day}T00:00:0`))

  const failedOn = '2027-02-01'

  async function declined(reason: 'insufficient_funds' | 'card_expired' = 'insufficient_funds') {
    const scenario = await subscriptionScenario({ buyer: { country: 'NL', taxId: '' } })
    await declineMandate(scenario.id, reason)
    await pass(scenario, 'P1M')
    const order = (await ordersOf(scenario)).at(-1)
    expect(order).toMatchObject({ status: 'pending', total })
    return { ...scenario, order }
  }
  const stakesOf = async (scenario: Scenario, asked: SubscriptionAction) =>
    (await pageOf(scenario)).actions.find(({ action }) => action === asked)?.stakes

  test('the page of a subscription in recovery states the outstanding amount and the end of the paid period', async () => {
    const scenario = await declined()
    expect(await pageOf(scenario)).toMatchObject({
      subscription: { paidUntil: on('2027-02-01'), renewedUntil: on('2027-03-01') },
      outstanding: [
        {
          orderId: scenario.order.id,
          total,
          isOnItsWay: false,
          isShared: false,
          hasFailed: true,
          retryAt: on(retryDay(failedOn)),
          writtenOffAt: on(writtenOffDay(failedOn, 'soft')),
        },
      ],
    })
    const hard = await declined('card_expired')
    expect((await pageOf(hard)).outstanding).toMatchObject([
      { retryAt: null, writtenOffAt: on(writtenOffDay(failedOn, 'hard')) },
    ])
  })

  test('paidUntil excludes a written-off period and includes a paid period', async () => {
    const scenario = await declined('card_expired')
    await pass(scenario, 'P10D')
    expect((await subscriptionOf(scenario)).status).toBe('canceled')
    expect(await pageOf(scenario)).toMatchObject({ subscription: { paidUntil: on('2027-02-01') }, outstanding: [] })
    const paid = await subscriptionScenario()
    expect(await pageOf(paid)).toMatchObject({ subscription: { paidUntil: on('2027-02-01') }, outstanding: [] })
  })

  test('an immediate cancellation of a subscription writes off its unpaid order, as the page states', async () => {
    const scenario = await declined()
    expect(await stakesOf(scenario, 'cancelNow')).toMatchObject({ writtenOff: total, onItsWay: null, collected: null })
    expect(await post(scenario, await formOf(scenario, 'cancelNow'))).toBe('done=cancelNow')
    await drainTasks()
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ id: scenario.order.id, status: 'canceled' })
  })

  test.each(['cancel', 'pause'] as const)(
    'after the action %s, the recovery of the unpaid order continues, as the page states',
    async (action) => {
      const scenario = await declined()
      expect(await stakesOf(scenario, action)).toMatchObject({
        writtenOff: null,
        onItsWay: null,
        collected: { total, retryAt: on(retryDay(failedOn)), until: on(writtenOffDay(failedOn, 'soft')) },
      })
      expect(await post(scenario, await formOf(scenario, action))).toBe(`done=${action}`)
      const attempts = async () => (await pageOf(scenario)).timeline.filter(({ kind }) => kind === 'payment').length
      const before = await attempts()
      await pass(scenario, untilFirstRetry)
      expect(await attempts()).toBe(before + 1)
      expect((await pageOf(scenario)).outstanding).toMatchObject([{ retryAt: on(retryDay(failedOn, 2)) }])
    },
  )

  test('a paused subscription in recovery cannot be unpaused if a new period would begin', async () => {
    const scenario = await subscriptionScenario({ plan: { interval: 'week' } })
    await declineMandate(scenario.id, 'insufficient_funds')
    await pass(scenario, 'P7D')
    await post(scenario, await formOf(scenario, 'pause'))
    expect(await stakesOf(scenario, 'unpause')).toMatchObject({ now: null, collected: { total: { value: '100.00' } } })
    await pass(scenario, 'P8D')
    expect(await stakesOf(scenario, 'unpause')).toBeUndefined()
    expect(await post(scenario, form({ intent: 'unpause', key: crypto.randomUUID() }))).toBe('failed=already_in_flight')
  })

  test('the button that cancels immediately has no effect if the unpaid order was paid after the page was loaded', async () => {
    const scenario = await declined()
    const sent = await formOf(scenario, 'cancelNow')
    await declineMandate(scenario.id, null)
    await pass(scenario, untilFirstRetry)
    expect((await ordersOf(scenario)).at(-1)).toMatchObject({ status: 'paid' })
    expect(await post(scenario, sent)).toBe('changed=cancelNow#problems')
    expect((await subscriptionOf(scenario)).status).toBe('active')
  })
})
