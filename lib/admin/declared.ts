import { toWire } from '../kernel/moment.ts'
import { amount, parseMoney } from '../kernel/money.ts'
import type { OrderPage } from '../modules/orders/page.ts'
import { documentNumber, type Order, paidAtOf } from '../modules/orders/rules/order.ts'
import { subtotalOfUnits } from '../modules/orders/rules/withdrawal.ts'
import { paidOrdersOf } from '../modules/orders/store.ts'
import type { Refund } from '../modules/refunds/rules/index.ts'
import { subscriptionsOfLines } from '../modules/subscriptions/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { type ChosenLine, itemOf, linesOf, withdrawableOf } from '../workflows/withdrawal/withdrawable.ts'

type Refunded = Pick<Refund, 'status' | 'createdAt' | 'lines'>

/**
 * The withdrawals from an order, and the refund that they ask for: of each line the part of the units, as far as it is
 * left, and nothing where the line was refunded since.
 */
export async function declaredOf(
  order: Order,
  tenant: Tenant,
  refundable: OrderPage['lines'],
  refunded: readonly Refunded[],
): Promise<Pick<OrderPage, 'declared' | 'amounts' | 'laterPayments'>> {
  const withdrawable = await withdrawableOf(order, tenant)
  if (!withdrawable) return { declared: [], amounts: {}, laterPayments: [] }
  const left = new Map(refundable.map(({ id, left }) => [id, parseMoney(left.value, order.currency)?.minor ?? 0n]))
  const withdrawn = new Map<string, number>()
  const proposed = new Map<string, bigint>()
  const declared = withdrawable.declared.map((each) => {
    const concerned = linesOf(withdrawable, each)
    const done = refundedSince(refunded, each.declaredAt)
    for (const line of concerned) {
      const before = withdrawn.get(line.checkoutLineId) ?? 0
      withdrawn.set(line.checkoutLineId, before + line.chosen)
      const { orderLineId: id } = line
      if (id === null || done.has(id)) continue
      const rest = (left.get(id) ?? 0n) - (proposed.get(id) ?? 0n)
      const due = dueOf(order, line, before)
      const part = due < rest ? due : rest
      if (part > 0n) proposed.set(id, (proposed.get(id) ?? 0n) + part)
    }
    const { name, email, statement, source, declaredAt } = each
    return { name, email, statement, source, declaredAt: toWire(declaredAt), items: concerned.map(itemOf) }
  })
  const amounts = [...proposed].map(([id, minor]) => [id, amount(minor, order.currency).value])
  const laterPayments = await paidSince(withdrawn.keys())
  return { declared, amounts: Object.fromEntries(amounts), laterPayments }
}

/** What was paid for the subscriptions of lines since the purchase. */
async function paidSince(lineIds: Iterable<string>): Promise<OrderPage['laterPayments']> {
  const subscriptions = await subscriptionsOfLines(db(), [...lineIds])
  const paid = await paidOrdersOf(
    db(),
    [...subscriptions.values()].map(({ id }) => id),
  )
  return paid.map((order) => ({
    id: order.id,
    number: documentNumber(order),
    total: amount(order.total, order.currency),
    paidAt: toWire(paidAtOf(order)),
  }))
}

/** The lines that were refunded since a moment, if only in part: how much is the merchant's decision. */
function refundedSince(refunded: readonly Refunded[], moment: Date): ReadonlySet<string> {
  const since = refunded.filter(({ createdAt }) => createdAt >= moment)
  const effective = since.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  return new Set(effective.flatMap(({ lines }) => lines.map(({ orderLineId }) => orderLineId)))
}

function dueOf(order: Order, { orderLineId, chosen }: ChosenLine, before: number): bigint {
  const line = order.lines.find(({ id }) => id === orderLineId)
  return line ? subtotalOfUnits(line, { before, units: chosen }) : 0n
}
