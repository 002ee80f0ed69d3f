import { describe, expect, it } from 'vitest'
import { anOrder } from '../examples.ts'
import { documentNumber, orderStates, paidAtOf, refundableSubtotal } from './order.ts'

describe('an order', () => {
  it('canceled and expired orders are final', () => {
    expect(orderStates.states.filter((state) => orderStates.isFinal(state))).toEqual(['canceled', 'expired'])
  })

  it('an order stays pending between payment attempts until it is paid or written off', () => {
    const next = (trigger: 'await' | 'pay' | 'cancel' | 'expire') => orderStates.on('pending', trigger)
    expect([orderStates.on('created', 'await'), next('await')]).toEqual(['pending', 'pending'])
    expect([next('pay'), next('cancel'), next('expire')]).toEqual(['paid', 'canceled', 'expired'])
  })

  it.each([
    ['created', 0n],
    ['pending', 0n],
    ['canceled', 0n],
    ['expired', 0n],
    ['paid', 9_000n],
  ] as const)(
    'of a 100.00 order in status %s with 10.00 reversed, %s cents before tax can be refunded',
    (status, refundable) => {
      expect(refundableSubtotal(anOrder({ status, subtotal: 10_000n, reversedSubtotal: 1_000n }))).toBe(refundable)
    },
  )

  it('a paid order has a document number and date', () => {
    expect(documentNumber(anOrder())).toBe('INV-2026-000001')
    expect(paidAtOf(anOrder())).toEqual(new Date('2026-11-20T00:00:00Z'))
  })

  it('reading the document number and date of an order without a document throws', () => {
    expect(() => documentNumber(anOrder({ invoice: null }))).toThrow('has no invoice')
    expect(() => paidAtOf(anOrder({ status: 'pending', paidAt: null }))).toThrow('is pending, not paid')
  })
})
