import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../../kernel/refusal.ts'
import { aBetterPlan, aChange, aChangeNow, aSubscription, euros, inEachState } from '../examples.ts'
import { changeProblems } from './change-problems.ts'
import type { Change } from './change-request.ts'
import type { Subscription } from './subscription.ts'

const at = (text: string) => new Date(`${text}T00:00:00Z`)
const now = at('2025-06-20')
const yearly = aBetterPlan({ billingInterval: { interval: 'year', intervalCount: 1 } })
const overdue = aSubscription({ renewedUntil: at('2025-06-19') })
const dear = euros(9_999_999_999n)
const waiting = aSubscription({
  scheduledUpdate: { plan: null, price: null, quantity: 2, anchor: null, prorate: true },
})
const dearer = aSubscription({
  scheduledUpdate: { plan: null, price: dear, quantity: null, anchor: null, prorate: true },
})

describe('the problems of a change', () => {
  it.each<[string, Subscription, Change, string[]]>([
    ['a valid change', aSubscription(), aChangeNow({ quantity: 2, anchor: at('2025-07-10') }), []],
    [
      'a past anchor, a trial that ends before the paid period, and an amount above the limit',
      aSubscription(),
      aChange({ anchor: at('2025-06-01'), trialUntil: at('2025-06-25'), price: dear, quantity: 2 }),
      ['anchor', 'trialUntil', 'quantity'],
    ],
    [
      'fields that are not permitted in a grace period',
      inEachState.on_grace_period,
      aChange({ plan: yearly, anchor: at('2025-06-25'), resetAnchor: true, trialUntil: at('2025-08-01') }),
      ['applyImmediately', 'anchor', 'resetAnchor', 'trialUntil', 'subscriptionPlanId'],
    ],
    [
      'fields that are not permitted in a pause',
      inEachState.paused,
      aChangeNow({ trialUntil: at('2025-08-01'), quantity: 9 }),
      ['applyImmediately', 'trialUntil'],
    ],
    ['an amount above the limit in a pause', inEachState.paused, aChange({ price: dear, quantity: 9 }), ['quantity']],
    [
      'anchors that are not permitted in a trial',
      inEachState.trial,
      aChangeNow({ anchor: at('2025-06-25'), resetAnchor: true, quantity: 2 }),
      ['resetAnchor', 'anchor'],
    ],
    [
      'fields that would skip a waiting renewal',
      overdue,
      aChangeNow({ plan: yearly, anchor: at('2025-06-25'), resetAnchor: true }),
      ['anchor', 'resetAnchor', 'subscriptionPlanId'],
    ],
    ['a price that is too high with the scheduled quantity', waiting, aChangeNow({ price: dear }), ['price']],
    ['a scheduled price that is too high with the scheduled quantity', waiting, aChange({ price: dear }), ['price']],
    ['a quantity that is too high with the scheduled price', dearer, aChange({ quantity: 9 }), ['quantity']],
    [
      'a plan that is too expensive for the scheduled quantity',
      waiting,
      aChange({ plan: aBetterPlan({ price: dear }) }),
      ['subscriptionPlanId'],
    ],
    [
      'a lower quantity of a price that already exceeds the limit',
      aSubscription({ price: dear, quantity: 2 }),
      aChange({ quantity: 1 }),
      [],
    ],
  ])('the problems of a change are reported by field: %s', (_, subscription, request, fields) => {
    const problems = changeProblems(subscription, request, now)
    expect(Object.keys(problems).sort()).toEqual([...fields].sort())
    for (const sentences of Object.values(sentencesOf(problems)))
      expect(sentences).toEqual([expect.stringMatching(/\.$/)])
  })

  it.each(['created', 'canceled'] as const)(
    'changeProblems() reports no field for a subscription in status %s, because the status itself prevents every change',
    (status) => {
      expect(changeProblems(inEachState[status], aChange({ anchor: at('2025-06-01') }), now)).toEqual({})
    },
  )
})
