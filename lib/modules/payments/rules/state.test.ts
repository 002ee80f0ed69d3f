import { describe, expect, it } from 'vitest'
import { paymentStates } from './state.ts'

const outcomes = ['paid', 'failed', 'canceled', 'expired'] as const

describe('a payment', () => {
  it('a payment has four outcomes, each final', () => {
    expect(paymentStates.states.filter((state) => paymentStates.isFinal(state))).toEqual(outcomes)
  })

  it.each(['open', 'pending'] as const)('a payment that is %s accepts every outcome from a provider', (state) => {
    const reached = (['pay', 'fail', 'cancel', 'expire'] as const).map((trigger) =>
      paymentStates.on(state, trigger, 'payment_finished'),
    )
    expect(reached).toEqual(outcomes)
  })

  it('a created payment can be opened or canceled, but not paid or declined', () => {
    expect(
      (['pay', 'fail', 'wait', 'expire'] as const).filter((trigger) => paymentStates.can('created', trigger)),
    ).toEqual([])
  })
})
