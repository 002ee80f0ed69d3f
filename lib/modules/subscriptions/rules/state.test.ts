import { describe, expect, it } from 'vitest'
import { isOngoing, subscriptionStates } from './state.ts'

describe('a subscription', () => {
  it('a canceled subscription never changes its state again', () => {
    expect([...subscriptionStates.reachableFrom('canceled')]).toEqual(['canceled'])
    expect(subscriptionStates.states.filter((state) => subscriptionStates.isFinal(state))).toEqual(['canceled'])
  })

  it('the status canceled can be reached from every status', () => {
    for (const state of subscriptionStates.states) expect(subscriptionStates.reachableFrom(state)).toContain('canceled')
  })

  it.each([
    ['start', ['created']],
    ['abandon', ['created']],
    ['endTrial', ['trial']],
    ['renew', ['active']],
    ['pause', ['active']],
    ['unpause', ['paused']],
    ['resume', ['on_grace_period']],
    ['resumeTrial', ['on_grace_period']],
    ['resumePaused', ['on_grace_period']],
    ['lapse', ['on_grace_period']],
    ['startTrial', ['created', 'trial', 'active']],
    ['cancelAtPeriodEnd', ['trial', 'active', 'paused']],
    ['cancelNow', ['trial', 'active', 'on_grace_period', 'paused']],
  ] as const)('the trigger %s is possible only in the statuses %j', (trigger, from) => {
    expect(subscriptionStates.states.filter((state) => subscriptionStates.can(state, trigger))).toEqual(from)
  })

  it.each(['trial', 'active', 'on_grace_period', 'paused'] as const)(
    'a subscription in status %s is ongoing',
    (status) => {
      expect(isOngoing({ status })).toBe(true)
    },
  )

  it.each(['created', 'canceled'] as const)('a subscription in status %s is not ongoing', (status) => {
    expect(isOngoing({ status })).toBe(false)
  })
})
