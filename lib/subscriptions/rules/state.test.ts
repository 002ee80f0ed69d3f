import { expect, it } from 'vitest'
import { subscriptionStates } from './state.ts'

it('a canceled subscription never comes back', () => {
  expect([...subscriptionStates.reachableFrom('canceled')]).toEqual(['canceled'])
})

it('from everywhere else cancellation can be reached', () => {
  for (const state of subscriptionStates.states) expect(subscriptionStates.reachableFrom(state)).toContain('canceled')
})
