import { describe, expect, it } from 'vitest'
import { checkoutStates } from './state.ts'

describe('a checkout', () => {
  it('a checkout ends with the status paid, canceled, or expired', () => {
    expect(checkoutStates.states.filter((state) => checkoutStates.isFinal(state))).toEqual([
      'paid',
      'canceled',
      'expired',
    ])
  })

  it.each(['created', 'failed'] as const)(
    'a payment for a checkout in status %s can succeed or be declined, and the checkout can be canceled or expire',
    (state) => {
      const outcomes = (['pay', 'decline', 'cancel', 'expire'] as const).map((trigger) =>
        checkoutStates.on(state, trigger, 'checkout_closed'),
      )
      expect(outcomes).toEqual(['paid', 'failed', 'canceled', 'expired'])
    },
  )
})
