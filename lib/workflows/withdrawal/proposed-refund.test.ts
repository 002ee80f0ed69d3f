import { describe, expect, it } from 'vitest'
import type { DeclaredWithdrawal } from '../../modules/orders/withdrawals.ts'
import { proposedRefund } from './proposed-refund.ts'

const day = (number: number) => new Date(Date.UTC(2026, 10, number))

const line = { checkoutLineId: 'seats', orderLineId: 'order_item_1', position: 0, name: 'Seats', quantity: 3, left: 0 }
const order = { lines: [{ id: 'order_item_1', subtotal: 1000n, quantity: 3 }] } as unknown as Parameters<
  typeof proposedRefund
>[0]

const declared = (declaredAt: Date, quantity: number): DeclaredWithdrawal => ({
  orderId: 'order_1',
  lines: [{ checkoutLineId: 'seats', quantity }],
  source: 'link',
  name: 'Ada',
  email: 'ada@example.com',
  statement: '',
  declaredAt,
})

const refunded = (createdAt: Date, status: 'refunded' | 'failed' | 'canceled') =>
  ({ createdAt, status, lines: [{ orderLineId: 'order_item_1' }] }) as unknown as Parameters<
    typeof proposedRefund
  >[2]['refunds'][number]

/** The line has 3 units with a total of 10.00. `left` is the amount of the line, in minor units, that is not refunded yet. */
const proposal = (
  withdrawals: readonly DeclaredWithdrawal[],
  left: bigint,
  refunds: ReturnType<typeof refunded>[] = [],
) =>
  proposedRefund(
    order,
    { lines: [line], declared: withdrawals },
    { left: new Map([['order_item_1', left]]), refunds },
  ).get('order_item_1')

describe('the proposed refund of a withdrawal', () => {
  it.each([
    ['one of three units', [declared(day(3), 1)], 1000n, 333n],
    ['all units', [declared(day(3), 3)], 1000n, 1000n],
    ['one unit, and later the other two', [declared(day(3), 1), declared(day(5), 2)], 1000n, 1000n],
    ['a line with a smaller remaining amount', [declared(day(3), 3)], 400n, 400n],
    ['a line without a remaining amount', [declared(day(3), 3)], 0n, undefined],
    ['no unit', [], 1000n, undefined],
  ])(
    'the refund proposed after a withdrawal of %s is the withdrawn share of the line, at most its refundable amount',
    (_, withdrawals, left, expected) => {
      expect(proposal(withdrawals, left)).toBe(expected)
    },
  )

  it.each([
    ['was refunded after the withdrawal', [refunded(day(4), 'refunded')], undefined],
    ['was refunded before the withdrawal', [refunded(day(2), 'refunded')], 333n],
    ['has a failed refund after the withdrawal', [refunded(day(4), 'failed')], 333n],
    ['has a canceled refund after the withdrawal', [refunded(day(4), 'canceled')], 333n],
  ])('a refund is proposed unless the line was refunded after the withdrawal: the line %s', (_, refunds, expected) => {
    expect(proposal([declared(day(3), 1)], 1000n, refunds)).toBe(expected)
  })

  it('after a refund between two withdrawals, the proposed refund covers only the units of the second withdrawal', () => {
    const refunds = [refunded(day(4), 'refunded')]
    expect(proposal([declared(day(3), 1), declared(day(5), 1)], 667n, refunds)).toBe(334n)
  })

  it('a withdrawal from a free trial has no proposed refund', () => {
    const trial = { ...line, orderLineId: null }
    const of = { lines: [trial], declared: [declared(day(3), 1)] }
    expect(proposedRefund(order, of, { left: new Map(), refunds: [] }).size).toBe(0)
  })
})
