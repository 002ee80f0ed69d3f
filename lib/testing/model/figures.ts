import { expect } from 'vitest'
import { divideHalfAwayFromZero, sum } from '../../kernel/money.ts'
import { closeFigures, currentFigures, rebuildFigures } from '../../modules/figures/operations.ts'
import { netRevenueOf } from '../../modules/figures/rules/figure-day.ts'
import { db } from '../../platform/db/db.ts'
import type { Shop } from '../shop.ts'
import type { Subscription, World } from './world.ts'

/** The figures of the model's subscriptions and books. All subscriptions of the model belong to one customer. */

const isPaidFor = ({ status, before }: Subscription): boolean =>
  status === 'active' || (status === 'on_grace_period' && before === 'active')

/** A year has 12 months and 365 days. The tax in a price comes from the newest order above zero. */
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

/** Expects the figures up to now to equal the model's, and a rebuild to change nothing. */
export async function expectSameFigures(world: World, { scope }: Shop): Promise<void> {
  await closeFigures(scope)
  const { figures, until } = await currentFigures(db(), scope, '2000-01-01', world.now)
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
