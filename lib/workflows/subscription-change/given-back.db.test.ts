import { afterAll, describe, expect, test } from 'vitest'
import { send } from '../../testing/api.ts'
import { aCheckout, aPlan, pay, price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import {
  ask,
  drainTasks,
  get,
  ordersOf,
  pass,
  type Scenario,
  subscriptionScenario,
} from '../../testing/subscription-scenario.ts'
import { aboutUnits, aPurchase, declare } from '../../testing/withdrawal.ts'
import { move, raise } from '../chargeback/operations.ts'

afterAll(async () => {
  expect(await brokenInvariants()).toEqual({})
})

const consumer = { country: 'DE', taxId: '' }
const change = (scenario: Scenario, body: object) =>
  ask(scenario, 'PATCH /v1/subscriptions/{id}', { applyImmediately: true, invoiceImmediately: true, ...body })
const salesOf = async (scenario: Scenario) =>
  (await ordersOf(scenario)).filter((order: { lines: { productId: string | null }[] }) =>
    order.lines.some(({ productId }) => productId !== null),
  )
const lastOrder = async (scenario: Scenario) => (await salesOf(scenario)).at(-1)
const orderIdAt = async (scenario: Scenario, index: number): Promise<string> => (await salesOf(scenario))[index].id

async function refundAll(scenario: Scenario, index = 0) {
  const orderId = await orderIdAt(scenario, index)
  const { status, body } = await send(`POST /v1/orders/${orderId}/refunds/full`, { key: scenario.key })
  expect(status).toBe(201)
  return body.id as string
}

async function refundNet(scenario: Scenario, index: number, line: number, value: string) {
  const order = (await salesOf(scenario))[index]
  const items = [{ itemId: order.lines[line].id, amount: price(value) }]
  expect((await send(`POST /v1/orders/${order.id}/refunds`, { key: scenario.key, body: { items } })).status).toBe(201)
}

async function charged(scenario: Scenario) {
  const { lines, total } = await lastOrder(scenario)
  return [...lines.map(({ subtotal }: { subtotal: { value: string } }) => subtotal.value), total.value]
}

const aMonth = (more: object = {}) => subscriptionScenario({ plan: { basePrice: price('31.00') }, ...more })

/** A fast-forward billed February in advance, and the order for February is paid. */
async function billedAhead(more: object = {}) {
  const scenario = await aMonth(more)
  const path = `/v1/test-helpers/subscriptions/${scenario.id}/fast-forward-renewal`
  expect((await send(`POST ${path}`, { key: scenario.key, body: { paymentStatus: 'paid' } })).status).toBe(200)
  await drainTasks()
  expect(await lastOrder(scenario)).toMatchObject({ status: 'paid' })
  expect(await salesOf(scenario)).toHaveLength(2)
  return scenario
}

describe('a change after a full refund', () => {
  test.each([
    ['that is pending', 'PT1S'],
    ['that is completed', 'PT10M'],
  ])('after a full refund %s, a subscription change has no credit for the refunded time', async (_, by) => {
    const scenario = await subscriptionScenario({ plan: { basePrice: price('10.00') }, buyer: consumer })
    const { id } = await aPlan(scenario.key, { basePrice: price('100.00'), interval: 'year' })
    await refundAll(scenario)
    await pass(scenario, by)
    expect((await change(scenario, { subscriptionPlanId: id })).status).toBe(200)
    expect(await charged(scenario)).toEqual(['100.00', '119.00'])
    expect(await lastOrder(scenario)).toMatchObject({ status: 'paid', taxSummary: [{ amount: { value: '19.00' } }] })
  })

  test('if prices include tax, the refunded tax reduces the credit of a change', async () => {
    const plan = { basePrice: price('11.90'), taxBehavior: 'inclusive' }
    const scenario = await subscriptionScenario({ plan, buyer: consumer })
    await refundNet(scenario, 0, 0, '5.00')
    expect((await change(scenario, { quantity: 2 })).status).toBe(200)
    expect(await charged(scenario)).toEqual(['-5.00', '20.00', '17.85'])
  })

  test('after a canceled refund, the credit of a subscription change covers the full unused time', async () => {
    const scenario = await aMonth()
    const refund = await refundAll(scenario)
    const orderId = await orderIdAt(scenario, 0)
    expect((await send(`DELETE /v1/orders/${orderId}/refunds/${refund}`, { key: scenario.key })).status).toBe(204)
    await change(scenario, { quantity: 2 })
    expect(await charged(scenario)).toEqual(['-31.00', '62.00', '31.00'])
  })

  test('the credit of a deferred change excludes the refunded amount', async () => {
    const scenario = await aMonth()
    await refundNet(scenario, 0, 0, '15.50')
    await pass(scenario, 'P10D')
    await change(scenario, { quantity: 2, invoiceImmediately: false })
    await pass(scenario, 'P1M')
    // The renewal costs 62.00. The credit of the change is 10.50: 21 of 31 days of the 15.50 that remain after the refund of half of the first payment.
    expect(await charged(scenario)).toEqual(['62.00', '-10.50', '42.00', '93.50'])
  })
})

describe('refunds in the credits of changes', () => {
  test('a refund reduces the credit of the next change and no later credit', async () => {
    const scenario = await aMonth()
    await refundNet(scenario, 0, 0, '15.50')
    await pass(scenario, 'P10D')
    await change(scenario, { quantity: 2 })
    expect(await charged(scenario)).toEqual(['-10.50', '42.00', '31.50'])
    await pass(scenario, 'P10D')
    await change(scenario, { quantity: 3 })
    // The refund already reduced the credit of the first change, so this credit is for 11 of 31 days of the full 62.00.
    expect(await charged(scenario)).toEqual(['-22.00', '33.00', '11.00'])
    // Without the two refunds, the credit would be 33.00. The refund of 15.50 of the first order reduces the credit by 11/31 of 15.50 (5.50). The refund
    // of 31.50 of the second order reduces the credit by 11/21 of 31.50 (16.50).
    await refundAll(scenario, 0)
    await refundAll(scenario, 1)
    await change(scenario, { quantity: 4 })
    expect(await charged(scenario)).toEqual(['-11.00', '44.00', '33.00'])
    await refundAll(scenario, 2)
    await change(scenario, { quantity: 5 })
    expect(await charged(scenario)).toEqual(['-33.00', '55.00', '22.00'])
    await refundAll(scenario, 3)
    await refundAll(scenario, 4)
    await change(scenario, { quantity: 6 })
    expect(await charged(scenario)).toEqual(['66.00', '66.00'])
  })

  test('if a period started with a credit, a refund is deducted exactly once from the credit of the next change', async () => {
    const scenario = await aMonth()
    const { id } = await aPlan(scenario.key, { basePrice: price('365.00'), interval: 'year' })
    await change(scenario, { subscriptionPlanId: id })
    expect(await charged(scenario)).toEqual(['-31.00', '365.00', '334.00'])
    await refundAll(scenario, 0)
    await change(scenario, { quantity: 2 })
    expect(await charged(scenario)).toEqual(['-334.00', '730.00', '396.00'])
    await refundAll(scenario, 1)
    await change(scenario, { quantity: 3 })
    expect(await charged(scenario)).toEqual(['-396.00', '1095.00', '699.00'])
  })

  test('a subscription change gives no credit for withdrawn units, whether or not the units were refunded', async () => {
    const plan = { basePrice: price('10.00') }
    const bought = await aPurchase({}, { plan, item: { quantity: 3 } })
    await declare(bought.token, aboutUnits([[0, '1', 3]]))
    await refundNet(bought, 0, 0, '10.00')
    await change(bought, { quantity: 3 })
    expect((await charged(bought)).slice(0, 2)).toEqual(['-20.00', '30.00'])
    await refundNet(bought, 0, 0, '5.00')
    await change(bought, { quantity: 4 })
    expect((await charged(bought)).slice(0, 2)).toEqual(['-25.00', '40.00'])
  })

  test.each([
    ['more units', { quantity: 8, withdrawn: '4', refunded: '40.00', next: 5 }, ['-10.00', '50.00']],
    ['fewer units', { quantity: 3, withdrawn: '2', refunded: '20.00', next: 6 }, ['-30.00', '60.00']],
  ])(
    'after a change to %s without proration, the withdrawn units reduce the credit of the next change once',
    async (_, of, lines) => {
      const bought = await aPurchase({}, { plan: { basePrice: price('10.00') }, item: { quantity: 5 } })
      await change(bought, { quantity: of.quantity, prorate: false })
      await declare(bought.token, aboutUnits([[0, of.withdrawn, 5]]))
      await refundNet(bought, 0, 0, of.refunded)
      await change(bought, { quantity: of.next })
      expect((await charged(bought)).slice(0, 2)).toEqual(lines)
    },
  )

  test('after a renewal, the withdrawn units of each of two orders reduce the credit of a change only once', async () => {
    const plan = { basePrice: price('70.00'), interval: 'week' }
    const bought = await aPurchase({}, { plan, item: { quantity: 3 } })
    await pass(bought, 'P7D')
    await declare(bought.token, aboutUnits([[0, '1', 3]]))
    await refundNet(bought, 0, 0, '70.00')
    await refundNet(bought, 1, 0, '70.00')
    await change(bought, { quantity: 3 })
    expect((await charged(bought)).slice(0, 2)).toEqual(['-140.00', '210.00'])
  })

  test('after a change of the period’s end without proration, the withdrawn units reduce the credit of the next change once', async () => {
    const bought = await aPurchase({}, { plan: { basePrice: price('31.00') }, item: { quantity: 3 } })
    await change(bought, { anchor: '2027-01-17', prorate: false, invoiceImmediately: false })
    await declare(bought.token, aboutUnits([[0, '1', 3]]))
    await refundNet(bought, 0, 0, '31.00')
    await change(bought, { quantity: 3 })
    expect((await charged(bought))[0]).toBe('-62.00')
  })

  test('withdrawn units of an earlier period do not reduce the paid amount of the new period', async () => {
    const bought = await aPurchase({}, { plan: { basePrice: price('30.00') }, item: { quantity: 5 } })
    const { id } = await aPlan(bought.key, { basePrice: price('300.00'), interval: 'year' })
    await pass(bought, 'P5D')
    await change(bought, { subscriptionPlanId: id })
    await pass(bought, 'P3D')
    await declare(bought.token, aboutUnits([[0, '2', 5]]))
    await refundNet(bought, 0, 0, '60.00')
    await change(bought, { quantity: 6 })
    // The credit is (1,500.00 - 60.00 × 26/31) × 362/365. The first change credited 26 of 31 days of the 60.00 that
    // were refunded later.
    expect((await charged(bought))[0]).toBe('-1437.76')
  })

  test('if a deferred proration and a new period begin in the same second, a refund reduces the credit of the next change once', async () => {
    const scenario = await aMonth()
    await pass(scenario, 'P11D')
    await change(scenario, { quantity: 2, invoiceImmediately: false })
    await change(scenario, { quantity: 3, resetAnchor: true })
    expect(await charged(scenario)).toEqual(['-40.00', '93.00', '-20.00', '40.00', '73.00'])
    await pass(scenario, 'P16D')
    await change(scenario, { quantity: 4 })
    await refundAll(scenario, 1)
    await pass(scenario, 'P2D')
    await change(scenario, { quantity: 5 })
    // The credit is (124.00 - 73.00) × 13/31, because 73.00 was refunded.
    expect((await charged(scenario))[0]).toBe('-21.39')
  })

  test('if a period billed early is refunded after a change started a new period, the refund reduces the next credit once', async () => {
    const scenario = await billedAhead()
    const { id } = await aPlan(scenario.key, { basePrice: price('310.00') })
    await change(scenario, { subscriptionPlanId: id, resetAnchor: true })
    await refundNet(scenario, 1, 0, '1.00')
    await change(scenario, { quantity: 2 })
    expect((await charged(scenario)).slice(0, 2)).toEqual(['-309.00', '620.00'])
  })

  test('a canceled refund of a period that was billed early increases the credit of the next change', async () => {
    const scenario = await billedAhead({ item: { quantity: 2 } })
    const { id, lines } = await lastOrder(scenario)
    const items = [{ itemId: lines[0].id, amount: price('10.00') }]
    const refund = await send(`POST /v1/orders/${id}/refunds`, { key: scenario.key, body: { items } })
    await change(scenario, { quantity: 2, resetAnchor: true })
    expect((await charged(scenario)).slice(0, 2)).toEqual(['-52.00', '62.00'])
    const { status } = await send(`DELETE /v1/orders/${id}/refunds/${refund.body.id}`, { key: scenario.key })
    expect(status).toBe(204)
    await change(scenario, { quantity: 3 })
    expect((await charged(scenario)).slice(0, 2)).toEqual(['-72.00', '93.00'])
  })

  test('a refund of an order with several subscriptions reduces the credit of the refunded line', async () => {
    const scenario = await aMonth()
    const { planId, key } = scenario
    const other = await aPlan(key, { basePrice: price('62.00') })
    const checkout = await aCheckout(key, planId, { products: [{ id: planId }, { id: other.id }] })
    const { customerId } = await pay(key, checkout, { country: 'DE', taxId: 'DE1' })
    await drainTasks()
    const { data } = await get(key, `/v1/customers/${customerId}/subscriptions`)
    await refundNet(scenario, 1, 1, '31.00')
    const credits = []
    for (const plan of [planId, other.id]) {
      const { id } = data.find((each: { subscriptionPlanId: string }) => each.subscriptionPlanId === plan)
      await change({ ...scenario, id }, { quantity: 2 })
      credits.push((await charged(scenario)).slice(0, 2))
    }
    expect(credits).toEqual([
      ['-31.00', '62.00'],
      ['-31.00', '124.00'],
    ])
  })
})

describe('a change and a dispute', () => {
  async function disputed(to?: 'evidence_submitted' | 'won' | 'lost') {
    const scenario = await subscriptionScenario({ plan: { basePrice: price('9.99') }, item: { quantity: 2 } })
    const dispute = await raise(await orderIdAt(scenario, 0), { reason: 'product_not_received' })
    await drainTasks()
    if (to) await move(dispute.chargebackId, to)
    await drainTasks()
    return { scenario, dispute }
  }

  test.each(['lost', 'evidence_submitted', undefined] as const)(
    'a subscription change has no credit while a dispute is undecided and after the dispute is lost (status: %s)',
    async (to) => {
      const { scenario } = await disputed(to)
      await change(scenario, { quantity: 5 })
      expect(await charged(scenario)).toEqual(['49.95', '49.95'])
    },
  )

  test('after a won dispute, the credit of a change covers the full unused time', async () => {
    const { scenario } = await disputed('won')
    await change(scenario, { quantity: 5 })
    expect(await charged(scenario)).toEqual(['-19.98', '49.95', '29.97'])
  })

  test('if a dispute is won after a change, the credit of the next change increases', async () => {
    const { scenario, dispute } = await disputed()
    await change(scenario, { quantity: 5 })
    await move(dispute.chargebackId, 'won')
    await drainTasks()
    await change(scenario, { quantity: 8 })
    expect(await charged(scenario)).toEqual(['-69.93', '79.92', '9.99'])
  })
})

test.each([0, 1])(
  'a refund concurrent with a change is deducted from exactly one credit (sequence %i)',
  async (first) => {
    const scenario = await aMonth()
    const orderId = await orderIdAt(scenario, 0)
    const racers = [
      () => send(`POST /v1/orders/${orderId}/refunds/full`, { key: scenario.key }),
      () =>
        send(`PATCH /v1/subscriptions/${scenario.id}`, {
          key: scenario.key,
          body: { quantity: 2, applyImmediately: true, invoiceImmediately: true },
        }),
    ]
    if (first) racers.reverse()
    const ends = await raceBehind(lockOn('orders', orderId), racers, 1)
    expect(ends.map((end) => end.status === 'fulfilled' && end.value.status).sort()).toEqual([200, 201])
    await drainTasks()
    const [before] = await charged(scenario)
    await change(scenario, { quantity: 4 })
    // If the first change ran before the refund, it credited the 31.00 that were then refunded, so the next credit is
    // 62.00 - 31.00. If the first change ran after the refund, the next credit is the full 62.00.
    expect(await charged(scenario)).toEqual(
      before === '-31.00' ? ['-31.00', '124.00', '93.00'] : ['-62.00', '124.00', '62.00'],
    )
  },
)
