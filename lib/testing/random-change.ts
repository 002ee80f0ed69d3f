import fc from 'fast-check'
import { aBetterPlan, aPlan, euros } from '../modules/subscriptions/examples.ts'
import type { Change, Subscription } from '../modules/subscriptions/rules/index.ts'

const day = 86_400_000

export const plans = [
  aPlan(),
  aBetterPlan(),
  aBetterPlan({ price: euros(100_000n), billingInterval: { interval: 'year', intervalCount: 1 } }),
  aPlan({ price: euros(700n), billingInterval: { interval: 'week', intervalCount: 2 } }),
  aPlan({ price: euros(0n) }),
]

export const midnightAfter = (moment: Date, days: number) => new Date((Math.floor(moment.getTime() / day) + days) * day)

export const asked = fc.record({
  plan: fc.option(fc.constantFrom(...plans)),
  price: fc.option(fc.bigInt({ min: 0n, max: 200_000n }).map(euros)),
  quantity: fc.option(fc.integer({ min: 1, max: 9 })),
  prorate: fc.boolean(),
  applyImmediately: fc.boolean(),
  invoiceImmediately: fc.boolean(),
  moves: fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ anchorIn: fc.integer({ min: 1, max: 40 }) }) },
    { weight: 1, arbitrary: fc.constant({ resetAnchor: true }) },
    { weight: 1, arbitrary: fc.record({ trialFor: fc.integer({ min: 0, max: 60 }) }) },
  ),
})
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never

export function changeOf({ moves, ...rest }: Asked, { period }: Subscription, now: Date): Change {
  const from = period && period.startAt > now ? period.startAt : now
  return {
    ...rest,
    anchor: moves && 'anchorIn' in moves ? midnightAfter(from, moves.anchorIn) : null,
    resetAnchor: moves !== null && 'resetAnchor' in moves,
    trialUntil: moves && 'trialFor' in moves ? new Date(now.getTime() + moves.trialFor * day) : null,
  }
}
