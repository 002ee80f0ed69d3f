import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { AdminSubscription } from '@/lib/modules/subscriptions/page.ts'
import { OrderBadge, SubscriptionBadge } from './badges.tsx'

const at = '2026-12-14T10:00:00Z'
const none = { trialUntil: null, renewedUntil: null, endedAt: null, recovery: null }
const shown = (more: object) =>
  renderToStaticMarkup(<SubscriptionBadge subscription={{ ...none, ...more } as AdminSubscription} />)

describe('the badge of a subscription', () => {
  test.each([
    ['an active subscription', { status: 'active' }, />Active</],
    ['a trial', { status: 'trial', trialUntil: at }, />Trial until 14 Dec 2026</],
    ['a cancellation', { status: 'on_grace_period', renewedUntil: at }, />Cancels on 14 Dec 2026</],
    [
      'a payment that failed',
      { status: 'active', recovery: { nextAttemptAt: at } },
      />Past due, retry on 14 Dec 2026</,
    ],
    ['a payment without a further attempt', { status: 'active', recovery: { nextAttemptAt: null } }, />Past due</],
    ['an ended subscription that owes', { status: 'canceled', endedAt: at, recovery: {} }, />Ended on 14 Dec 2026</],
    ['a pause', { status: 'paused' }, />Paused</],
  ])('the badge of a subscription names the state, with a date if the state has one: %s', (_, more, expected) => {
    expect(shown(more)).toMatch(expected)
  })
})

test('the badge of a past due order shows the day of the next attempt', () => {
  const paymentFailure = { nextAttemptAt: at } as never
  const badge = (failure: never) =>
    renderToStaticMarkup(<OrderBadge order={{ state: 'past_due', paymentFailure: failure }} />)
  expect(badge(paymentFailure)).toMatch(/>Past due, retry on 14 Dec 2026</)
  expect(badge(null as never)).toMatch(/>Past due</)
})
