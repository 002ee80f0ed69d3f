import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AmountChange, type Movements, moreSubscribers, movementsOf, netOf, noMovements } from './movements.ts'
import { sumIn } from './recurring-amount.ts'

const change = (day: number, subscription: string, amount: bigint, more: Partial<AmountChange> = {}): AmountChange => ({
  day: `2027-01-${String(day).padStart(2, '0')}`,
  subscriptionId: subscription,
  customerId: subscription.slice(0, 1),
  currency: 'EUR',
  amount,
  planId: 'basic',
  ...more,
})
const moved = (history: AmountChange[], changes: AmountChange[], currency: 'EUR' | 'USD' = 'EUR') =>
  [...movementsOf(history, changes).values()].map((day) => {
    const { plans, ...rest } = day.get(currency) ?? noMovements
    return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== 0n && value !== 0))
  })

describe('the MRR movements of a customer', () => {
  it.each([
    ['the first subscription is new', [], [change(2, 'a1', 500n)], { new: 500n, newSubscribers: 1 }],
    ['a second subscription is expansion', [change(1, 'a1', 500n)], [change(2, 'a2', 300n)], { expansion: 300n }],
    ['a higher amount is expansion', [change(1, 'a1', 500n)], [change(2, 'a1', 700n)], { expansion: 200n }],
    ['a lower amount is contraction', [change(1, 'a1', 500n)], [change(2, 'a1', 100n)], { contraction: 400n }],
    [
      'the end of one of two subscriptions is contraction',
      [change(1, 'a1', 500n), change(1, 'a2', 300n)],
      [change(2, 'a1', 0n)],
      { contraction: 500n },
    ],
    [
      'a fall of the amount to zero is churn',
      [change(1, 'a1', 500n)],
      [change(2, 'a1', 0n)],
      { churn: 500n, churnedSubscribers: 1 },
    ],
    [
      'a subscription after churn is reactivation',
      [change(1, 'a1', 500n), change(2, 'a1', 0n)],
      [change(3, 'a2', 400n)],
      { reactivation: 400n, reactivatedSubscribers: 1 },
    ],
    [
      'a move to a higher plan by a cancellation and a purchase on one day is expansion',
      [change(1, 'a1', 500n)],
      [change(2, 'a1', 0n), change(2, 'a2', 800n)],
      { expansion: 300n },
    ],
    [
      'a change to a plan with the same price has no movement',
      [change(1, 'a1', 500n)],
      [change(2, 'a1', 500n, { planId: 'pro' })],
      {},
    ],
    ['a start and an end on one day have no movement', [], [change(2, 'a1', 0n)], {}],
    [
      'the first amount in a currency is new in this currency',
      [change(1, 'a1', 500n, { currency: 'USD' })],
      [change(2, 'a2', 300n)],
      { new: 300n, newSubscribers: 1 },
    ],
  ])('in the MRR movements of a customer, %s', (_, history, changes, expected) => {
    expect(moved(history, changes)).toEqual([expected])
  })

  it('a change of currency is churn in the old currency, and new MRR in the new currency', () => {
    const history = [change(1, 'a1', 500n)]
    const changes = [change(2, 'a1', 600n, { currency: 'USD' })]
    expect(moved(history, changes)).toEqual([{ churn: 500n, churnedSubscribers: 1 }])
    expect(moved(history, changes, 'USD')).toEqual([{ new: 600n, newSubscribers: 1 }])
  })

  it('a plan change is a loss for the old plan and a gain for the new plan', () => {
    const [day] = movementsOf([change(1, 'a1', 500n)], [change(2, 'a1', 700n, { planId: 'pro' })]).values()
    expect(day?.get('EUR')?.plans).toEqual(
      new Map([
        ['basic', -500n],
        ['pro', 700n],
      ]),
    )
  })
})

describe('any sequence of changes', () => {
  const anyChange = fc.record({
    day: fc.integer({ min: 1, max: 28 }),
    subscription: fc.constantFrom('a1', 'a2', 'b1', 'b2', 'c1'),
    amount: fc.bigInt({ min: 0n, max: 3n }),
    currency: fc.constantFrom('EUR' as const, 'USD' as const),
    planId: fc.constantFrom('basic', 'pro'),
  })
  const sequence = fc
    .uniqueArray(anyChange, { selector: ({ day, subscription }) => `${day} ${subscription}`, maxLength: 60 })
    .map((all) =>
      all
        .map(({ day, subscription, amount, ...more }) => change(day, subscription, amount, more))
        .sort((a, b) => (a.day < b.day ? -1 : 1)),
    )

  it('opening figures plus movements equal closing figures for any sequence of changes', () => {
    fc.assert(
      fc.property(sequence, (changes) => {
        for (const currency of ['EUR', 'USD'] as const) {
          const days = [...movementsOf([], changes)].flatMap(([day, each]) => {
            const moved = each.get(currency)
            return moved ? [[day, moved] as const] : []
          })
          let [closing, subscribers, plans] = [0n, 0, 0n]
          for (const [day, moved] of days) {
            closing += netOf(moved)
            subscribers += moreSubscribers(moved)
            for (const amount of moved.plans.values()) plans += amount
            const last = lastOf(changes.filter((each) => each.day <= day))
            expect(closing).toBe(sumIn(last, currency))
            expect(plans).toBe(closing)
            const paying = last.filter((each) => each.currency === currency && each.amount > 0n)
            expect(subscribers).toBe(new Set(paying.map(({ customerId }) => customerId)).size)
          }
        }
      }),
    )
  })

  it('processing MRR changes in two parts gives the same movements as processing all changes together', () => {
    fc.assert(
      fc.property(sequence, fc.integer({ min: 1, max: 28 }), (changes, cut) => {
        const day = `2027-01-${String(cut).padStart(2, '0')}`
        const [history, later] = [changes.filter((each) => each.day < day), changes.filter((each) => each.day >= day)]
        const whole = [...movementsOf([], changes)].filter(([each]) => each >= day)
        expect([...movementsOf(history, later)]).toEqual(whole)
      }),
    )
  })

  const lastOf = (changes: readonly AmountChange[]) => [
    ...new Map(changes.map((each) => [each.subscriptionId, each])).values(),
  ]
})

it('the MRR movements of a day without changes are zero', () => {
  const nothing: Movements = noMovements
  expect([netOf(nothing), moreSubscribers(nothing)]).toEqual([0n, 0])
})
