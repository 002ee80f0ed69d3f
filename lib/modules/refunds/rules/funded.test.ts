import { expect, it, test } from 'vitest'
import { aRefund } from '../examples.ts'
import { type Refunded, selectFunded } from './funded.ts'

const free: Refunded = { sale: { subtotal: 100n, fee: 0n }, before: { subtotal: 0n, feeReturned: 0n } }
const refunds = (amounts: bigint[], orderId?: string) =>
  amounts.map((subtotal, index) => aRefund({ id: `refund_${index}`, orderId: orderId ?? `order_${index}`, subtotal }))

test.each([
  ['an empty queue selects no refund', [], 100n, []],
  ['all refunds are selected if the balance covers all', [10n, 20n, 30n], 60n, [10n, 20n, 30n]],
  ['the first two refunds are selected if the balance covers two', [10n, 20n, 30n], 59n, [10n, 20n]],
  ['a small refund waits behind a large refund', [50n, 1n], 49n, []],
  ['a negative balance selects no refund', [1n], -5n, []],
])('refunds are sent in the order of the queue while the balance covers them: %s', (_, amounts, balance, expected) => {
  const queue = refunds(amounts)
  const sales = new Map(queue.map(({ orderId }) => [orderId, free]))
  expect(selectFunded(queue, balance, sales).map(({ subtotal }) => subtotal)).toEqual(expected)
})

it('the balance from a sale is enough for the full refund of the sale, because a refund returns our fee', () => {
  const [whole] = refunds([10_000n])
  const sale = { subtotal: 10_000n, fee: 550n }
  const sales = new Map([['order_0', { ...free, sale }]])
  expect(selectFunded(whole ? [whole] : [], 9_450n, sales)).toMatchObject([{ feeReturned: 550n }])
  expect(selectFunded(whole ? [whole] : [], 9_449n, sales)).toEqual([])
})

it('several refunds of one sale return the fee of the sale to the exact cent', () => {
  const sale = { subtotal: 300n, fee: 100n }
  const sales = new Map([['order_0', { sale, before: { subtotal: 100n, feeReturned: 33n } }]])
  const going = selectFunded(refunds([100n, 100n], 'order_0'), 1_000n, sales)
  expect(going.map(({ feeReturned }) => feeReturned)).toEqual([34n, 33n])
})
