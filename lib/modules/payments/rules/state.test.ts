import { describe, expect, it } from 'vitest'
import { paymentStates } from './state.ts'

const outcomes = ['paid', 'failed', 'canceled', 'expired'] as const

describe('a payment', () => {
  it('has four outcomes, each final', () => {
    expect(paymentStates.states.filter((state) => paymentStates.isFinal(state))).toEqual(outcomes)
  })

  it.each(['open', 'pending'] as const)('that is %s takes every outcome that a provider may report', (state) => {
    const reached = (['pay', 'fail', 'cancel', 'expire'] as const).map((trigger) =>
      paymentStates.on(state, trigger, 'payment_finished'),
    )
    expect(reached).toEqual(outcomes)
  })

  it('that the provider may not know of is opened or canceled, and neither paid nor declined', () => {
    expect(
      (['pay', 'fail', 'wait', 'expire'] as const).filter((trigger) => paymentStates.can('created', trigger)),
    ).toEqual([])
  })
})
