import { describe, expect, it } from 'vitest'
import { paymentStates } from './state.ts'

const outcomes = ['paid', 'failed', 'canceled', 'expired'] as const

describe('payment status', () => {
  it('the final statuses of a payment are paid, failed, canceled, and expired', () => {
    expect(paymentStates.states.filter((state) => paymentStates.isFinal(state))).toEqual(outcomes)
  })

  it.each(['open', 'pending'] as const)('a payment in status %s can change to each final status', (state) => {
    const reached = (['pay', 'fail', 'cancel', 'expire'] as const).map((trigger) =>
      paymentStates.on(state, trigger, 'payment_finished'),
    )
    expect(reached).toEqual(outcomes)
  })

  it('a payment in status created cannot become pending, paid, failed, or expired', () => {
    expect(
      (['pay', 'fail', 'wait', 'expire'] as const).filter((trigger) => paymentStates.can('created', trigger)),
    ).toEqual([])
  })
})
