import { expect, it } from 'vitest'
import { figureDay, netRevenueOf, type PostedNet } from './figure-day.ts'
import { noMovements } from './movements.ts'

const day = { day: '2027-01-31', currency: 'EUR' } as const
const posted = (kind: PostedNet['kind'], country: string, net: bigint, orders = 0): PostedNet => ({
  ...day,
  kind,
  country,
  net,
  orders,
})

it('the closing figures of a day are the previous closing figures plus the movements', () => {
  const figures = figureDay({
    ...day,
    before: {
      closingMrr: 1000n,
      closingSubscribers: 2,
      plans: new Map([
        ['basic', 700n],
        ['pro', 300n],
      ]),
    },
    moved: {
      ...noMovements,
      new: 500n,
      newSubscribers: 1,
      churn: 300n,
      churnedSubscribers: 1,
      plans: new Map([
        ['basic', 500n],
        ['pro', -300n],
      ]),
    },
    posted: [
      posted('order', 'DE', 2000n, 2),
      posted('order', 'NL', 500n, 1),
      posted('refund', 'NL', -500n),
      posted('chargeback', 'DE', -100n),
    ],
    ended: [{ ...day, reason: 'switched', count: 1 }],
  })
  expect(figures).toMatchObject({ openingMrr: 1000n, closingMrr: 1200n, openingSubscribers: 2, closingSubscribers: 2 })
  expect(figures).toMatchObject({ sales: 2500n, refunds: -500n, disputes: -100n, orders: 3 })
  expect(netRevenueOf(figures)).toBe(1900n)
  expect(figures.plans).toEqual(new Map([['basic', 1200n]]))
  expect(figures.countries).toEqual(new Map([['DE', 1900n]]))
  expect(figures.cancellations).toEqual(new Map([['switched', 1]]))
})

it('the opening figures of the first day are zero', () => {
  expect(figureDay({ ...day, before: null, moved: null, posted: [], ended: [] })).toMatchObject({
    openingMrr: 0n,
    closingMrr: 0n,
    sales: 0n,
  })
})
