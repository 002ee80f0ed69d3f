import { expect } from 'vitest'
import { divideHalfAwayFromZero, sum } from '../../kernel/money.ts'
import { closeFigures, openFigures, rebuildFigures } from '../../modules/figures/operations.ts'
import { netRevenueOf } from '../../modules/figures/rules/figure-day.ts'
import { figuresOf, knownFigures } from '../../modules/figures/store.ts'
import { db } from '../../platform/db/db.ts'
import type { Shop } from '../shop.ts'
import type { Subscription, World } from './world.ts'

const isPaidFor = ({ status, before }: Subscription): boolean =>
  status === 'active' || (status === 'on_grace_period' && before === 'active')

/**
 * Returns the monthly revenue of a subscription without tax. A year has 12 months and 365 days. If the price includes
 * tax, the tax rates are the rates of the newest order with a positive total.
 */
function perMonth({ terms, inclusive, orders }: Subscription): bigint {
  const { interval, intervalCount, price, quantity } = terms
  const daily = { day: 1n, week: 7n, month: null, year: null }[interval]
  const months = BigInt(intervalCount) * (interval === 'year' ? 12n : 1n)
  const [numerator, denominator] = daily === null ? [1n, months] : [365n, 12n * daily * BigInt(intervalCount)]
  const rates = inclusive ? (orders.findLast(({ total }) => total > 0n)?.rates ?? []) : []
  const whole = 100_000n
  return divideHalfAwayFromZero(price * BigInt(quantity) * numerator * whole, denominator * (whole + sum(rates)))
}

const mrrOf = ({ subscriptions }: World): bigint => sum(subscriptions.filter(isPaidFor).map(perMonth))

const netRevenueIn = ({ books }: World): bigint =>
  sum((['provider_clearing', 'refunds', 'chargebacks', 'tax_payable'] as const).map((each) => books.get(each) ?? 0n))

export async function expectSameFigures(world: World, { scope }: Shop): Promise<void> {
  await closeFigures(scope)
  const { closedDay } = await knownFigures(db(), scope, '2000-01-01')
  const { figures: open, until } = await openFigures(db(), scope, closedDay, world.now)
  const figures = [...(await figuresOf(db(), scope, { from: '2000-01-01', to: until })), ...open]
  const last = figures.at(-1)
  expect({
    until,
    mrr: last?.closingMrr ?? 0n,
    subscribers: last?.closingSubscribers ?? 0,
    netRevenue: sum(figures.map(netRevenueOf)),
  }).toEqual({
    until: world.now.toISOString().slice(0, 10),
    mrr: mrrOf(world),
    subscribers: mrrOf(world) > 0n ? 1 : 0,
    netRevenue: netRevenueIn(world),
  })
  expect(await rebuildFigures(scope)).toEqual([])
}
