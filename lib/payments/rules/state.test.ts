import { describe, expect, it } from 'vitest'
import { paymentStates } from './state.ts'

describe('a payment', () => {
  it('has four outcomes, each for good', () => {
    const final = paymentStates.states.filter((state) => paymentStates.isFinal(state))
    expect(final).toEqual(['paid', 'failed', 'canceled', 'expired'])
  })

  it('that is on its way cannot be canceled: the money may come', () => {
    expect(paymentStates.can('open', 'cancel')).toBe(true)
    expect(paymentStates.can('pending', 'cancel')).toBe(false)
    expect([...paymentStates.reachableFrom('pending')].sort()).toEqual(['failed', 'paid', 'pending'])
  })
})
