import { describe, expect, it } from 'vitest'
import { type Checkout, type CheckoutLine, isOpen, isTrial, sellsSubscription } from './checkout.ts'

const expiresAt = new Date('2026-11-21T10:00:00Z')
const before = new Date('2026-11-21T09:59:59Z')
const month = { interval: 'month', intervalCount: 1 } as const
const line = (billingInterval: CheckoutLine['billingInterval'], trialDays: number | null) =>
  ({ billingInterval, trialDays }) as CheckoutLine

describe('a checkout', () => {
  it.each([
    ['created', before, true],
    ['failed', before, true],
    ['created', expiresAt, false],
    ['failed', expiresAt, false],
    ['paid', before, false],
    ['canceled', before, false],
    ['expired', before, false],
  ] as const)('a checkout in status %s is open at %o: %s', (status, now, expected) => {
    expect(isOpen({ status, expiresAt } as Checkout, now)).toBe(expected)
  })

  it.each([
    [month, 14, true],
    [month, 0, false],
    [month, null, false],
    [null, 14, false],
  ])(
    'a checkout line with the interval %o and %s trial days has a trial: %s',
    (billingInterval, trialDays, expected) => {
      expect(isTrial(line(billingInterval, trialDays))).toBe(expected)
    },
  )

  it('a checkout sells a subscription when one of its lines has a billing interval', () => {
    expect(sellsSubscription({ lines: [line(null, null), line(month, 14)] } as unknown as Checkout)).toBe(true)
    expect(sellsSubscription({ lines: [line(null, null)] } as unknown as Checkout)).toBe(false)
  })
})
