import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import * as factories from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import type { Shop } from '../../testing/shop.ts'
import { ask, drainTasks, get, pass, type Scenario, subscriptionScenario } from '../../testing/subscription-scenario.ts'
import { pauseTyped, unpauseTyped } from '../../workflows/subscription-change/operations.ts'
import { moveHorizon } from '../events/horizons.ts'
import { statementFor } from '../ledger/statement.ts'
import { closeFigures, openFigures, planClosing, rebuildFigures, runClosing } from './operations.ts'
import type { FigureDay } from './rules/figure-day.ts'
import { netRevenueOf } from './rules/figure-day.ts'
import { figuresIn, figuresOf, knownFigures } from './store.ts'

const figures = ({ scope }: Shop) => figuresOf(db(), scope, { from: '2027-01-01', to: '2030-01-01' })
const part = ({ day, openingMrr, closingMrr, closingSubscribers, ...moved }: FigureDay) => ({
  day,
  mrr: [openingMrr, closingMrr],
  subscribers: closingSubscribers,
  ...Object.fromEntries(
    (['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const).flatMap((kind) =>
      moved[kind] === 0n ? [] : [[kind, moved[kind]]],
    ),
  ),
})

async function sell(scenario: Scenario, email: string, item: object = {}): Promise<Scenario> {
  const products = [{ id: scenario.planId, ...item }]
  const checkout = await factories.aCheckout(scenario.key, scenario.planId, { products })
  const paid = await factories.pay(scenario.key, checkout, { country: 'NL', email })
  await drainTasks()
  const { data } = await get(scenario.key, `/v1/customers/${paid.customerId}/subscriptions`)
  return { ...scenario, id: data[0].id, customerId: paid.customerId }
}

describe('the figures of a storefront', () => {
  let scenario: Scenario
  beforeAll(async () => {
    scenario = await subscriptionScenario()
    const second = await sell(scenario, 'second@example.com', { quantity: 2 })
    await sell(scenario, 'trial@example.com', { trialDays: 40 })
    await pass(scenario, 'P1D')
    await ask(second, 'PATCH /v1/subscriptions/{id}', { quantity: 5, applyImmediately: true })
    await pass(scenario, 'P1D')
    await pauseTyped(scenario.id)
    await pass(scenario, 'P1D')
    await unpauseTyped(scenario.id)
    await pass(scenario, 'P1D')
    await ask(second, 'PATCH /v1/subscriptions/{id}', { quantity: 1, applyImmediately: true, prorate: false })
    await pass(scenario, 'P1D')
    await ask(second, 'DELETE /v1/subscriptions/{id}')
    await pass(scenario, 'P40D')
    await closeFigures(scenario.shop.scope)
  })

  it('the figures of a day contain its MRR movements, such as new, expansion, and churn', async () => {
    expect((await figures(scenario.shop)).map(part).filter(({ mrr: [a, b] }) => a !== b)).toEqual([
      { day: '2027-01-01', mrr: [0n, 30_000n], subscribers: 2, new: 30_000n },
      { day: '2027-01-02', mrr: [30_000n, 60_000n], subscribers: 2, expansion: 30_000n },
      { day: '2027-01-03', mrr: [60_000n, 50_000n], subscribers: 1, churn: 10_000n },
      { day: '2027-01-04', mrr: [50_000n, 60_000n], subscribers: 2, reactivation: 10_000n },
      { day: '2027-01-05', mrr: [60_000n, 20_000n], subscribers: 2, contraction: 40_000n },
      { day: '2027-02-01', mrr: [20_000n, 10_000n], subscribers: 1, churn: 10_000n },
      { day: '2027-02-10', mrr: [10_000n, 20_000n], subscribers: 2, new: 10_000n },
    ])
  })

  it('the net revenue of a month equals the sum of the columns `buyers` and `taxes` in the statement of the month', async () => {
    const { statements } = await statementFor(scenario.shop.scope, '2027-01')
    const ofMonth = (await figures(scenario.shop)).filter(({ day }) => day.startsWith('2027-01'))
    const net = ofMonth.reduce((total, each) => total + netRevenueOf(each), 0n)
    expect(net).toBe(statements[0]?.lines.reduce((total, { buyers, taxes }) => total + buyers + taxes, 0n))
    expect(net).toBeGreaterThan(0n)
    expect(await brokenInvariants()).toEqual({})
  })

  it('the figures of the day on which a subscription ends contain the cancellation and its reason', async () => {
    const [ended] = (await figures(scenario.shop)).filter(({ cancellations }) => cancellations.size > 0)
    expect(ended).toMatchObject({ day: '2027-02-01', cancellations: new Map([['merchant_request', 1]]) })
  })

  it('a rebuild of figures keeps correct figures and corrects a wrong figure', async () => {
    const before = await figures(scenario.shop)
    expect(await rebuildFigures(scenario.shop.scope)).toEqual([])
    await db().$executeRaw`
      UPDATE daily_figures SET sales = sales + 1 WHERE storefront_id = ${scenario.shop.storefrontId} AND day = '2027-01-02'`
    expect(Object.keys(await brokenInvariants())).toContain(
      'I20 the monthly net revenue in the figures equals the statement',
    )
    const sales = before.find(({ day }) => day === '2027-01-02')?.sales ?? 0n
    expect(await rebuildFigures(scenario.shop.scope)).toEqual([
      { day: '2027-01-02', currency: 'EUR', figure: 'sales', before: String(sales + 1n), after: String(sales) },
    ])
    expect(await figures(scenario.shop)).toEqual(before)
  })

  it('computing the figures of the same days concurrently gives the same figures as a single computation', async () => {
    const before = await figures(scenario.shop)
    await db().daily_figures.deleteMany({ where: { storefront_id: scenario.shop.storefrontId } })
    await db().recurring_amounts.deleteMany({ where: { storefront_id: scenario.shop.storefrontId } })
    await db().closed_figures.deleteMany({ where: { storefront_id: scenario.shop.storefrontId } })
    await Promise.all(Array.from({ length: 4 }, () => closeFigures(scenario.shop.scope)))
    expect(await figures(scenario.shop)).toEqual(before)
  })

  it('computing the figures day by day gives the same figures as a rebuild', async () => {
    await ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 3, applyImmediately: true })
    for (let day = 0; day < 3; day++) {
      await pass(scenario, 'P1D')
      await closeFigures(scenario.shop.scope)
    }
    await pass(scenario, 'P2M')
    await closeFigures(scenario.shop.scope)
    expect(await rebuildFigures(scenario.shop.scope)).toEqual([])
    expect(await brokenInvariants()).toEqual({})
  })
})

describe('the current day', () => {
  it('the figures of the current day are derived for each page view and not stored', async () => {
    const scenario = await subscriptionScenario({ at: '2027-03-01T10:00:00Z', buyer: { country: 'NL', taxId: null } })
    const { scope } = scenario.shop
    const now = new Date('2027-03-01T12:00:00Z')
    expect(await openFigures(db(), scope, '2027-02-28', now)).toMatchObject({
      storedUntil: '2027-02-28',
      until: '2027-03-01',
      figures: [
        { day: '2027-03-01', sales: 10_000n, orders: 1, closingMrr: 10_000n, countries: new Map([['NL', 10_000n]]) },
      ],
    })
    expect(await figuresOf(db(), scope, { from: '2027-01-01', to: '2028-01-01' })).toEqual([])
  })

  it('while the closing job is behind, the figures end with the last closed day', async () => {
    const scenario = await subscriptionScenario({ at: '2027-03-01T10:00:00Z' })
    const now = new Date('2027-03-09T12:00:00Z')
    expect(await openFigures(db(), scenario.shop.scope, '2027-02-28', now)).toEqual({
      figures: [],
      storedUntil: '2027-02-28',
      until: '2027-02-28',
    })
  })
})

describe('the stored figures of a range', () => {
  let shop: Shop
  beforeAll(async () => {
    const scenario = await subscriptionScenario()
    shop = scenario.shop
    const checkout = await factories.aCheckout(scenario.key, scenario.planId)
    await factories.pay(scenario.key, checkout, { country: 'GB', currency: 'GBP', email: 'pound@example.com' })
    await pass(scenario, 'P2M')
    await pass(scenario, 'P2D')
    await closeFigures(shop.scope)
  })
  const days = { from: '2027-02-01', to: '2027-02-28' }

  it('the figures of a range are in one currency, and also contain the last day with figures before the range', async () => {
    const [before, inRange, ...others] = (await figures(shop)).filter(({ currency }) => currency === 'GBP')
    expect(await figuresIn(db(), shop.scope, 'GBP', days)).toEqual({ before, days: [inRange] })
    expect(others.map(({ day }) => day)).toEqual(['2027-03-01'])
  })

  it('the figures of a range contain no earlier day if the currency has no figures before the range', async () => {
    const first = { from: '2027-01-01', to: '2027-01-31' }
    expect(await figuresIn(db(), shop.scope, 'GBP', first)).toMatchObject({ before: null, days: [{ currency: 'GBP' }] })
    expect(await figuresIn(db(), shop.scope, 'SEK', first)).toEqual({ before: null, days: [] })
    expect(await figuresIn(db(), { ...shop.scope, testmode: false }, 'GBP', first)).toEqual({ before: null, days: [] })
  })

  it('a currency is listed for a range if it has figures in the range or MRR before the range', async () => {
    const inRange = await knownFigures(db(), shop.scope, '2027-02-01')
    expect(inRange).toEqual({
      closedDay: '2027-03-01',
      orders: new Map([
        ['EUR', 2],
        ['GBP', 2],
      ]),
    })
    expect((await knownFigures(db(), shop.scope, '2028-01-01')).orders).toEqual(
      new Map([
        ['EUR', 0],
        ['GBP', 0],
      ]),
    )
    expect(await knownFigures(db(), { ...shop.scope, testmode: false }, '2027-02-01')).toEqual({
      closedDay: null,
      orders: new Map(),
    })
  })
})

it('a subscription that was paused on the day of its purchase has no MRR after it is canceled', async () => {
  const scenario = await subscriptionScenario()
  await pauseTyped(scenario.id)
  await pass(scenario, 'P5D')
  await closeFigures(scenario.shop.scope)
  await ask(scenario, 'DELETE /v1/subscriptions/{id}')
  expect((await get(scenario.key, `/v1/subscriptions/${scenario.id}`)).status).toBe('on_grace_period')
  await pass(scenario, 'P2D')
  await closeFigures(scenario.shop.scope)
  const days = await figures(scenario.shop)
  expect(days.map(({ closingMrr, closingSubscribers }) => [closingMrr, closingSubscribers])).toEqual([[0n, 0]])
  expect(await brokenInvariants()).toEqual({})
})

it('MRR excludes the tax that a price includes', async () => {
  const plan = { basePrice: factories.price('12.10'), taxBehavior: 'inclusive' }
  const scenario = await subscriptionScenario({ plan, buyer: { country: 'NL', taxId: null } })
  await pass(scenario, 'P2M')
  await closeFigures(scenario.shop.scope)
  const days = await figures(scenario.shop)
  expect(days.map(part)[0]).toEqual({ day: '2027-01-01', mrr: [0n, 1000n], subscribers: 1, new: 1000n })
  expect(days.at(-1)?.closingMrr).toBe(1000n)
  expect(await brokenInvariants()).toEqual({})
})

it('a refund lowers the net revenue of the day on which the refund is sent', async () => {
  const scenario = await subscriptionScenario()
  const { data } = await get(scenario.key, '/v1/orders')
  await pass(scenario, 'P3D')
  await ask({ ...scenario, id: data[0].id }, 'POST /v1/orders/{id}/refunds/full')
  await pass(scenario, 'P3D')
  await closeFigures(scenario.shop.scope)
  const days = (await figures(scenario.shop)).filter((each) => netRevenueOf(each) !== 0n)
  expect(days.map(({ day, sales, refunds }) => [day, sales, refunds])).toEqual([
    ['2027-01-01', 10_000n, 0n],
    [expect.stringMatching(/^2027-01-0[4-7]$/), 0n, -10_000n],
  ])
  expect(await brokenInvariants()).toEqual({})
})

it('the closing job closes the days of every storefront and mode, and runs again a minute later', async () => {
  const scenario = await subscriptionScenario()
  await pass(scenario, 'P3DT1H')
  await planClosing()
  await planClosing()
  const [task, ...others] = await db().tasks.findMany({ where: { name: 'figures.close_days' } })
  expect(others).toEqual([])
  for (let runs = 0; runs < 20; runs++) {
    const [row] = await db().tasks.findMany({ where: { name: 'figures.close_days' } })
    await runClosing({
      storefrontId: '',
      testmode: false,
      claim: { taskId: row?.id ?? '', claimVersion: row?.claim_version ?? 0 },
    })
  }
  const closed = await db().closed_figures.findMany({ where: { storefront_id: scenario.shop.storefrontId } })
  expect(closed.map(({ testmode }) => testmode).sort()).toEqual([false, true])
  expect(closed.find(({ testmode }) => testmode)?.day).toEqual(new Date('2027-01-03T00:00:00Z'))
  const [next] = await db().tasks.findMany({ where: { id: task?.id ?? '' } })
  expect(next?.run_at.getTime()).toBeGreaterThan(Date.now() + 50_000)
})

// This test and the next test run last, because they delete events. This test also changes the time before which events
// may have been deleted. This time applies to the whole database.
it('a rebuild of the daily figures does not change the MRR movements of a day whose events may have been deleted', async () => {
  const scenario = await subscriptionScenario()
  const { storefrontId, scope } = scenario.shop
  await pass(scenario, 'P3D')
  await ask(scenario, 'PATCH /v1/subscriptions/{id}', { quantity: 2, applyImmediately: true })
  await pass(scenario, 'P2M')
  await closeFigures(scope)
  const before = await figures(scenario.shop)
  await moveHorizon(db(), 'events', new Date('2027-01-20T10:00:00Z'))
  await db()
    .$executeRaw`DELETE FROM events WHERE storefront_id = ${storefrontId} AND created_at < '2027-01-20T10:00:00Z'`
  await db().$executeRaw`
    UPDATE daily_figures SET sales = 0, countries = '{}' WHERE storefront_id = ${storefrontId} AND day = '2027-01-01'`
  expect((await rebuildFigures(scope)).map(({ figure }) => figure)).toEqual(['sales', 'countries'])
  expect(await figures(scenario.shop)).toEqual(before)
})

it.each([
  ['an active', false, 10_000n],
  ['a paused', true, 0n],
])(
  'if the events before its cancellation were deleted, %s subscription has the same MRR in its grace period',
  async (_, isPaused, mrr) => {
    const scenario = await subscriptionScenario()
    const { storefrontId, scope } = scenario.shop
    if (isPaused) await pauseTyped(scenario.id)
    await pass(scenario, 'P5D')
    await db().$executeRaw`DELETE FROM events WHERE storefront_id = ${storefrontId}`
    await ask(scenario, 'DELETE /v1/subscriptions/{id}')
    await pass(scenario, 'P2D')
    await closeFigures(scope)
    expect((await figures(scenario.shop)).at(-1)?.closingMrr ?? 0n).toBe(mrr)
  },
)
