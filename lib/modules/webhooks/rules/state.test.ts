import { expect, it } from 'vitest'
import { deliveryStates } from './state.ts'

it('a delivered, failed, or stopped delivery can be re-sent', () => {
  for (const state of deliveryStates.states.filter((each) => each !== 'pending')) {
    expect(deliveryStates.on(state, 'resend')).toBe('pending')
  }
})

it('only a re-send changes the state of a delivered, failed, or stopped delivery', () => {
  for (const state of ['delivered', 'failed', 'stopped'] as const) {
    for (const trigger of ['deliver', 'giveUp', 'stop'] as const) expect(deliveryStates.can(state, trigger)).toBe(false)
  }
})
