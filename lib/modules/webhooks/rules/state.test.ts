import { expect, it } from 'vitest'
import { deliveryStates } from './state.ts'

it('whatever became of a delivery, it can be sent again', () => {
  for (const state of deliveryStates.states.filter((each) => each !== 'pending')) {
    expect(deliveryStates.on(state, 'resend', 'illegal_move')).toBe('pending')
  }
})

it('what is delivered, failed or stopped is tried no more by itself', () => {
  for (const state of ['delivered', 'failed', 'stopped'] as const) {
    for (const trigger of ['deliver', 'giveUp', 'stop'] as const) expect(deliveryStates.can(state, trigger)).toBe(false)
  }
})
