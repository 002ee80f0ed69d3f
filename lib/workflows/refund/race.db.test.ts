import { beforeAll, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { amount } from '../../testing/amount.ts'
import { send } from '../../testing/api.ts'
import { configure } from '../../testing/configure.ts'
import { price } from '../../testing/factories.ts'
import { brokenInvariants } from '../../testing/invariants.ts'
import { lockOn } from '../../testing/lock-on.ts'
import { aSale, type Sale } from '../../testing/money-back.ts'
import { raceBehind } from '../../testing/race-behind.ts'
import type { Reply } from '../../testing/shop.ts'
import { get, pass } from '../../testing/subscription-scenario.ts'
import { raise } from '../chargeback/operations.ts'

// Each concurrent call needs its own database connection, because all calls wait for each other.
const racing = 52
configure({ DATABASE_POOL: String(racing + 8) })

const rounds = amount({ short: 1, long: 100 })
let shop: Sale['shop']

beforeAll(async () => {
  shop = (await aSale({ price: '9000.00' })).shop
})

/**
 * Runs fifty refunds of 10.00 each. A chargeback of a third of the order and the cancellation of an earlier refund of
 * 10.00 run at the same time. All calls have read before any call writes. The order is 100.00 plus 21.00 tax.
 */
async function round(number: number): Promise<Sale> {
  const sale = await aSale({ price: '100.00', shop })
  const { key, orderId } = sale
  const items = [{ itemId: sale.lines[0]?.id, amount: price('10.00') }]
  const refund = () => send(`POST /v1/orders/${orderId}/refunds`, { key, body: { items } })
  const first = await refund()
  const cancel = () => send(`DELETE /v1/orders/${orderId}/refunds/${first.body.id}`, { key })
  const dispute = () => raise(orderId, { amount: '40.33', reason: 'fraud' })
  const racers: (() => Promise<unknown>)[] = Array.from({ length: 50 }, () => refund)
  racers.splice((number * 7) % 51, 0, cancel)
  racers.splice((number * 13) % 52, 0, dispute)

  const ends = await raceBehind(lockOn('orders', orderId), racers)
  const statuses = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return (end.value as Partial<Reply>).status
  })
  expect(statuses.filter((status) => status === 204)).toHaveLength(1)
  const made = statuses.filter((status) => status === 201).length
  // Without the chargeback, 100.00 is enough for nine refunds of 10.00 in addition to the earlier refund, or for ten after its cancellation. With the
  // chargeback of 33.33, the remaining 66.67 is enough for five refunds, or for six after the cancellation.
  expect(made).toBeGreaterThanOrEqual(5)
  expect(made).toBeLessThanOrEqual(10)
  expect(statuses.filter((status) => status === 422)).toHaveLength(50 - made)
  return sale
}

async function sumsOf({ key, orderId }: Sale) {
  const order = await get(key, `/v1/orders/${orderId}`)
  const { data: refunds } = await get(key, `/v1/orders/${orderId}/refunds?limit=100`)
  const { data: chargebacks } = await get(key, `/v1/orders/${orderId}/chargebacks`)
  const of = (status: string) => refunds.filter((each: { status: string }) => each.status === status).length * 1000
  return {
    reversed: cents(order.reversedSubtotal),
    left: cents(order.refundableSubtotal),
    disputed: cents(chargebacks[0].subtotal),
    of,
  }
}

it(`concurrent refunds and a concurrent chargeback never exceed the payment (${rounds} rounds)`, async () => {
  for (let number = 0; number < rounds; number++) {
    const sale = await round(number)
    const asked = await sumsOf(sale)
    expect(asked.reversed).toBe(asked.disputed)
    expect(asked.reversed + asked.of('pending') + asked.left).toBe(10_000)
    expect(asked.of('canceled')).toBe(1000)

    await pass(sale, 'PT1M')
    const sent = await sumsOf(sale)
    expect(sent.reversed).toBe(sent.disputed + sent.of('refunded'))
    expect(sent.reversed + sent.left).toBe(10_000)
    expect(sent.left).toBeGreaterThanOrEqual(0)
    expect(sent.of('pending') + sent.of('queued') + sent.of('processing')).toBe(0)
  }
  const books = await db().$queryRaw<{ paid: bigint; gone: bigint }[]>`
    SELECT p.amount AS paid, (SELECT sum(amount) FROM sandbox_refunds r WHERE r.payment_ref = p.ref AND r.status = 'refunded')
      + (SELECT sum(amount) FROM sandbox_chargebacks c WHERE c.payment_ref = p.ref) AS gone
    FROM sandbox_payments p WHERE p.amount = 12100`
  expect(books).toHaveLength(rounds)
  for (const { paid, gone } of books) expect(gone > 0n && gone <= paid).toBe(true)
  expect(await brokenInvariants()).toEqual({})
})

const cents = ({ value }: { value: string }): number => Math.round(Number(value) * 100)
