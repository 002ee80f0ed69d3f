import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomes } from '../../modules/payments/page.ts'
import { testMethods } from '../../modules/payments/rules/method.ts'
import { charged, decide, outcomesOf, settlementSeconds } from './outcome.ts'
import type { SandboxPayment } from './store.ts'

const settlesAt = new Date('2026-11-20T10:12:00Z')
const payment = (differences: Partial<SandboxPayment> = {}) =>
  ({
    ref: 'sandbox_1',
    method: 'creditcard',
    amount: { minor: 1000n, currency: 'EUR' },
    makesMandate: true,
    status: 'open',
    failureReason: null,
    mandate: null,
    settlesAt: null,
    returns: false,
    ...differences,
  }) as SandboxPayment

describe('the result that a tester chooses on the test payment page', () => {
  const paid = { outcome: 'paid', failureReason: 'general_failure', mandate: 'pending' } as const

  it.each(testMethods.filter((method) => method !== 'directdebit'))(
    'a test payment by %s is paid at once',
    (method) => {
      const before = payment({ method })
      expect(decide(before, paid, settlesAt)).toEqual({ ...before, status: 'paid', mandate: 'pending' })
    },
  )

  it('a test direct debit is pending until it settles', () => {
    const before = payment({ method: 'directdebit' })
    expect(decide(before, paid, settlesAt)).toEqual({ ...before, status: 'pending', mandate: 'pending', settlesAt })
  })

  it('a test direct debit that will be returned is pending first', () => {
    const before = payment({ method: 'directdebit' })
    const pending = { ...before, status: 'pending', mandate: 'pending', settlesAt, returns: true }
    expect(decide(before, { ...paid, outcome: 'returned' }, settlesAt)).toEqual(pending)
  })

  it('a test direct debit of 0.00 is verified at once', () => {
    const before = payment({ method: 'directdebit', amount: { minor: 0n, currency: 'EUR' } })
    expect(decide(before, paid, settlesAt)).toEqual({ ...before, status: 'paid', mandate: 'pending' })
  })

  it('the test payment page offers a return only for payments from a bank account', () => {
    const all = [...outcomes]
    const others = all.filter((outcome) => outcome !== 'returned')
    for (const method of testMethods)
      expect(outcomesOf(payment({ method }))).toEqual(method === 'directdebit' ? all : others)
    expect(outcomesOf(payment({ method: 'directdebit', amount: { minor: 0n, currency: 'EUR' } }))).toEqual(others)
  })

  it('a test sale without a subscription sets up no mandate', () => {
    expect(decide(payment({ makesMandate: false }), paid, settlesAt).mandate).toBeNull()
  })

  it('a failed test payment has its reason and no mandate, and a canceled one pays nothing', () => {
    const failed = { ...paid, outcome: 'failed', failureReason: 'card_expired' } as const
    expect(decide(payment(), failed, settlesAt)).toEqual(payment({ status: 'failed', failureReason: 'card_expired' }))
    for (const outcome of ['canceled', 'expired'] as const) {
      expect(decide(payment(), { ...paid, outcome }, settlesAt)).toEqual(payment({ status: outcome }))
    }
  })

  it('a test direct debit settles after 10 to 15 minutes', () => {
    expect([settlementSeconds(0), settlementSeconds(1)]).toEqual([600, 900])
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (chance) => {
        const seconds = settlementSeconds(chance)
        expect(Number.isInteger(seconds) && seconds >= 600 && seconds <= 900).toBe(true)
      }),
    )
  })
})

describe('the result of a test charge on a mandate', () => {
  const charge = (method: SandboxPayment['method']) => ({ method, amount: payment().amount })
  const plain = { declines: null, returns: false }

  it.each(testMethods.filter((method) => method !== 'directdebit'))(
    'a test charge on a mandate for %s is paid at once',
    (method) => {
      const paid = { status: 'paid', failureReason: null, settlesAt: null, returns: false }
      expect(charged(charge(method), plain, settlesAt)).toEqual(paid)
      expect(charged(charge(method), { ...plain, returns: true }, settlesAt)).toEqual(paid)
    },
  )

  it.each([false, true])('a test charge by direct debit is pending until it settles (is returned: %s)', (returns) => {
    const pending = { status: 'pending', failureReason: null, settlesAt, returns }
    expect(charged(charge('directdebit'), { ...plain, returns }, settlesAt)).toEqual(pending)
  })

  it.each(testMethods)('a test charge by %s is declined at once when the mandate is set to decline', (method) => {
    const failed = { status: 'failed', failureReason: 'account_closed', settlesAt: null, returns: false }
    expect(charged(charge(method), { declines: 'account_closed', returns: true }, settlesAt)).toEqual(failed)
  })
})
