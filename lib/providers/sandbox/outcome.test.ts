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

describe('payments on the test payment page', () => {
  const paid = { outcome: 'paid', failureReason: 'general_failure', mandate: 'pending' } as const

  it.each(testMethods.filter((method) => method !== 'directdebit'))(
    'a test payment by %s is paid immediately',
    (method) => {
      const before = payment({ method })
      expect(decide(before, paid, settlesAt)).toEqual({ ...before, status: 'paid', mandate: 'pending' })
    },
  )

  it('a test direct debit is pending until it settles', () => {
    const before = payment({ method: 'directdebit' })
    expect(decide(before, paid, settlesAt)).toEqual({ ...before, status: 'pending', mandate: 'pending', settlesAt })
  })

  it('a test direct debit with the outcome "returned" is first pending', () => {
    const before = payment({ method: 'directdebit' })
    const pending = { ...before, status: 'pending', mandate: 'pending', settlesAt, returns: true }
    expect(decide(before, { ...paid, outcome: 'returned' }, settlesAt)).toEqual(pending)
  })

  it('a test direct debit of 0.00 is paid immediately', () => {
    const before = payment({ method: 'directdebit', amount: { minor: 0n, currency: 'EUR' } })
    expect(decide(before, paid, settlesAt)).toEqual({ ...before, status: 'paid', mandate: 'pending' })
  })

  it('the test payment page offers the outcome "returned" only for direct debits', () => {
    const all = [...outcomes]
    const others = all.filter((outcome) => outcome !== 'returned')
    for (const method of testMethods)
      expect(outcomesOf(payment({ method }))).toEqual(method === 'directdebit' ? all : others)
    expect(outcomesOf(payment({ method: 'directdebit', amount: { minor: 0n, currency: 'EUR' } }))).toEqual(others)
  })

  it('a test sale without a subscription sets up no mandate', () => {
    expect(decide(payment({ makesMandate: false }), paid, settlesAt).mandate).toBeNull()
  })

  it('a failed or canceled test payment has no mandate', () => {
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

describe('charges on test mandates', () => {
  const charge = (method: SandboxPayment['method']) => ({ method, amount: payment().amount })
  const plain = { declines: null, returns: false }

  it.each(testMethods.filter((method) => method !== 'directdebit'))(
    'a test charge by %s is paid immediately',
    (method) => {
      const paid = { status: 'paid', failureReason: null, settlesAt: null, returns: false }
      expect(charged(charge(method), plain, settlesAt)).toEqual(paid)
      expect(charged(charge(method), { ...plain, returns: true }, settlesAt)).toEqual(paid)
    },
  )

  it.each([false, true])(
    'a test charge by direct debit is pending until it settles (later returned: %s)',
    (returns) => {
      const pending = { status: 'pending', failureReason: null, settlesAt, returns }
      expect(charged(charge('directdebit'), { ...plain, returns }, settlesAt)).toEqual(pending)
    },
  )

  it.each(testMethods)('a test charge by %s is declined immediately if the mandate is set to decline', (method) => {
    const failed = { status: 'failed', failureReason: 'account_closed', settlesAt: null, returns: false }
    expect(charged(charge(method), { declines: 'account_closed', returns: true }, settlesAt)).toEqual(failed)
  })
})
