import fc from 'fast-check'
import { failureReasons } from '../../modules/payments/rules/failure.ts'
import type { Basket, PaymentMethod } from './operations.ts'

const amount = fc.constantFrom(0n, 777n, 1000n, 2999n, 10_000n)
const planNumber = fc.constantFrom(0, 1, 2, 3, 4, 7)
const inclusivePlan = fc.constantFrom(5, 6)
const quantity = fc.integer({ min: 1, max: 4 })
export const address = fc.constantFrom(
  { country: 'DE', taxId: 'DE1' } as const,
  { country: 'DE', taxId: '' } as const,
  { country: 'FR', taxId: 'DE1' } as const,
  { country: 'NL', taxId: 'NL1' } as const,
  { country: 'CA', taxId: '' } as const,
)
export const method = fc.constantFrom(
  'creditcard',
  'creditcard',
  'paypal',
  'ideal',
  'directdebit',
  'directdebit',
) as fc.Arbitrary<PaymentMethod>
export const maybe = <Value>(value: fc.Arbitrary<Value>, freq = 2) => fc.option(value, { nil: undefined, freq })
export const planPrice = fc.constantFrom(500n, 1234n, 5000n)
export const rarely = fc.nat(5).map((n) => n === 5)
const mostly = fc.nat(3).map((n) => n !== 3)
export const reason = fc.oneof(fc.constantFrom(...failureReasons.slice(0, 3)), fc.constantFrom(...failureReasons))
export const outcome = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.constant({ paymentStatus: 'paid' as const }) },
  { weight: 4, arbitrary: reason.map((failureReason) => ({ paymentStatus: 'failed' as const, failureReason })) },
  { weight: 1, arbitrary: fc.constant({ paymentStatus: 'paid' as const, failureReason: 'card_expired' }) },
  { weight: 1, arbitrary: fc.constant({ paymentStatus: 'failed' as const }) },
)

const items = (plan: fc.Arbitrary<number>) =>
  fc.array(
    fc
      .record({ plan, quantity, price: maybe(amount), trialDays: maybe(fc.constantFrom(0, 5, 14, 40)) })
      .map(({ price, trialDays, ...item }) => ({
        ...item,
        ...(price !== undefined && { price }),
        ...(trialDays !== undefined && { trialDays }),
      })),
    { minLength: 1, maxLength: 2 },
  )

export const basket: fc.Arbitrary<Basket> = fc.record({
  items: fc.oneof(
    { weight: 8, arbitrary: items(planNumber) },
    { weight: 3, arbitrary: items(inclusivePlan) },
    { weight: 1, arbitrary: items(fc.nat(7)) },
  ),
  method,
  address,
  mandate: rarely.map((isPending) => (isPending ? ('pending' as const) : ('valid' as const))),
  viaLink: rarely,
})

export const durations = {
  PT30S: { seconds: 30 },
  PT1M: { seconds: 60 },
  PT1H: { seconds: 3600 },
  PT12H: { seconds: 12 * 3600 },
  P1D: { days: 1 },
  P2D: { days: 2 },
  P3D: { days: 3 },
  P7D: { days: 7 },
  P10D: { days: 10 },
}
export type Move = keyof typeof durations | 'P1M' | 'renewal' | 'just before' | 'next step' | 'window'

/**
 * Most moves of the clock go to the next renewal, the next recovery step, or the end of a refund's cancel window.
 * Other moves have a fixed duration.
 */
export const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.constantFrom('PT1H', 'PT12H', 'P1D', 'P2D', 'P3D', 'P7D', 'P10D', 'P1M'),
  fc.constantFrom('renewal', 'renewal', 'just before', 'next step', 'next step', 'next step'),
  fc.constantFrom('PT30S', 'PT1M', 'window', 'window', 'window', 'window'),
)

const same = fc.constant('same' as const)
export const asked = fc.record({
  plan: maybe(fc.oneof(same, fc.constant('other' as const), fc.constant('other' as const), fc.nat(7)), 1),
  quantity: maybe(fc.oneof(same, quantity, quantity, quantity, quantity, fc.constant(999_999)), 1),
  price: maybe(fc.oneof(same, amount, amount, amount, fc.constant(99_999_999n)), 2),
  namesNothing: rarely,
  prorate: mostly,
  other: fc.nat(4),
  applyImmediately: fc.nat(2).map((n) => n > 0),
  invoiceImmediately: fc.boolean(),
  cycle: fc.oneof(
    { weight: 12, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: fc.integer({ min: -1, max: 35 }).map((anchorIn) => ({ anchorIn })) },
    { weight: 1, arbitrary: fc.constant({ resetAnchor: true }) },
    { weight: 1, arbitrary: fc.integer({ min: -24, max: 24 * 60 }).map((trialIn) => ({ trialIn })) },
    { weight: 1, arbitrary: fc.constantFrom({ anchorIn: 3, resetAnchor: true }, { anchorIn: 3, trialIn: 240 }) },
  ) as fc.Arbitrary<{ anchorIn?: number; resetAnchor?: boolean; trialIn?: number }>,
})
export type Asked = typeof asked extends fc.Arbitrary<infer Each> ? Each : never

/**
 * A part of an amount, in thousandths: 1000 is the whole amount. The amount is the remaining amount of a line, the
 * total of an order, or the balance.
 */
const all = fc.constant(1000)
const some = fc.integer({ min: 1, max: 999 })
const moreThanAll = fc.integer({ min: 1001, max: 1500 })

/** Line numbers of an order (modulo the number of its refundable lines), and an optional fault in the first item. */
export const refundItems = fc.record({
  items: fc.array(fc.record({ line: fc.nat(3), part: fc.oneof(some, some, all) }), { minLength: 1, maxLength: 3 }),
  flaw: fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: fc.constantFrom('nothing', 'too much', 'line of another order', 'credit line') },
  ),
})
export type RefundItems = typeof refundItems extends fc.Arbitrary<infer Each> ? Each : never
export const disputed = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: some },
  { weight: 2, arbitrary: moreThanAll },
  { weight: 1, arbitrary: fc.constant(0) },
)
export const paidOut = fc.oneof(
  { weight: 3, arbitrary: all },
  { weight: 4, arbitrary: fc.integer({ min: 800, max: 999 }) },
  { weight: 1, arbitrary: some },
  { weight: 1, arbitrary: moreThanAll },
)
