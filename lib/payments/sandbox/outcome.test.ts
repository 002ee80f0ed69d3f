import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureReasons, paymentMethods } from '../../checkouts/page.ts'
import { outcomes } from '../page.ts'
import { charged, decide, readChoice, settlementSeconds } from './outcome.ts'
import type { SandboxPayment } from './store.ts'

const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const settlesAt = new Date('2026-11-20T10:12:00Z')
const payment = (differences: Partial<SandboxPayment> = {}) =>
  ({
    ref: 'sandbox_1',
    method: 'creditcard',
    makesMandate: true,
    status: 'open',
    failureReason: null,
    mandate: null,
    settlesAt: null,
    ...differences,
  }) as SandboxPayment

describe('the form of the test payment page', () => {
  it.each(outcomes)('reads the outcome %s', (outcome) => {
    expect(readChoice(form({ outcome }))).toEqual({ outcome, failureReason: 'general_failure', mandate: 'valid' })
  })

  it.each(failureReasons)('reads the reason %s', (failureReason) => {
    expect(readChoice(form({ outcome: 'failed', failureReason }))?.failureReason).toBe(failureReason)
  })

  it('takes what it does not know for the default, and no outcome for none', () => {
    expect(readChoice(form({ outcome: 'failed', failureReason: 'bad_mood', mandate: 'maybe' }))).toEqual({
      outcome: 'failed',
      failureReason: 'general_failure',
      mandate: 'valid',
    })
    expect(readChoice(form({ outcome: 'PAID' }))).toBeNull()
    expect(readChoice(form({}))).toBeNull()
  })

  it('reads a mandate that is still pending', () => {
    expect(readChoice(form({ outcome: 'paid', mandate: 'pending' }))?.mandate).toBe('pending')
  })
})

describe('what the test provider makes of a choice', () => {
  const paid = { outcome: 'paid', failureReason: 'general_failure', mandate: 'pending' } as const

  it.each(paymentMethods.filter((method) => method !== 'directdebit'))('%s is paid at once', (method) => {
    const before = payment({ method })
    expect(decide(before, paid, settlesAt)).toEqual({ ...before, status: 'paid', mandate: 'pending' })
  })

  it('a direct debit is on its way until it settles', () => {
    const before = payment({ method: 'directdebit' })
    expect(decide(before, paid, settlesAt)).toEqual({ ...before, status: 'pending', mandate: 'pending', settlesAt })
  })

  it('a sale without a subscription makes no mandate', () => {
    expect(decide(payment({ makesMandate: false }), paid, settlesAt).mandate).toBeNull()
  })

  it('a failure has its reason and no mandate; nothing is paid by a cancellation', () => {
    const failed = { ...paid, outcome: 'failed', failureReason: 'card_expired' } as const
    expect(decide(payment(), failed, settlesAt)).toEqual(payment({ status: 'failed', failureReason: 'card_expired' }))
    for (const outcome of ['canceled', 'expired'] as const) {
      expect(decide(payment(), { ...paid, outcome }, settlesAt)).toEqual(payment({ status: outcome }))
    }
  })

  it('settles a direct debit 10 to 15 minutes after it was made', () => {
    expect([settlementSeconds(0), settlementSeconds(1)]).toEqual([600, 900])
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (chance) => {
        const seconds = settlementSeconds(chance)
        expect(Number.isInteger(seconds) && seconds >= 600 && seconds <= 900).toBe(true)
      }),
    )
  })
})

describe('what the test provider makes of a charge on a mandate', () => {
  it.each(paymentMethods.filter((method) => method !== 'directdebit'))('%s is paid at once', (method) => {
    expect(charged(method, null, settlesAt)).toEqual({ status: 'paid', failureReason: null, settlesAt: null })
  })

  it('a direct debit is on its way until it settles', () => {
    expect(charged('directdebit', null, settlesAt)).toEqual({ status: 'pending', failureReason: null, settlesAt })
  })

  it.each(paymentMethods)('%s is declined at once when it is to be', (method) => {
    const failed = { status: 'failed', failureReason: 'account_closed', settlesAt: null }
    expect(charged(method, 'account_closed', settlesAt)).toEqual(failed)
  })
})
