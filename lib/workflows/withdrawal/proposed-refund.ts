import { documentNumber, type Order, paidAtOf } from '../../modules/orders/rules/order.ts'
import { subtotalOfUnits } from '../../modules/orders/rules/withdrawal.ts'
import { paidOrdersOf } from '../../modules/orders/store.ts'
import type { Refund } from '../../modules/refunds/rules/index.ts'
import { subscriptionsOfLines } from '../../modules/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type ChosenLine, linesOf, type Withdrawable } from './withdrawable.ts'

/**
 * This file only proposes a refund. The merchant decides about the amount, because a consumer must pay for the part of
 * a service that was provided before the withdrawal.
 */

interface Refunds {
  /** The amounts that are not refunded yet, in minor units, by order line. */
  readonly left: ReadonlyMap<string, bigint>
  readonly refunds: readonly Pick<Refund, 'status' | 'createdAt' | 'lines'>[]
}

/** Returns amounts in minor units, by order line. A line gets no amount for a withdrawal if it was refunded after that withdrawal. */
export function proposedRefund(
  order: Pick<Order, 'lines'>,
  withdrawable: Pick<Withdrawable, 'lines' | 'declared'>,
  { left, refunds }: Refunds,
): ReadonlyMap<string, bigint> {
  const withdrawn = new Map<string, number>()
  const proposed = new Map<string, bigint>()
  for (const declared of withdrawable.declared) {
    const refunded = refundedSince(refunds, declared.declaredAt)
    for (const line of linesOf(withdrawable, declared)) {
      const before = withdrawn.get(line.checkoutLineId) ?? 0
      withdrawn.set(line.checkoutLineId, before + line.chosen)
      const { orderLineId: id } = line
      if (id === null || refunded.has(id)) continue
      const already = proposed.get(id) ?? 0n
      const part = lesser(shareOf(order, line, before), (left.get(id) ?? 0n) - already)
      if (part > 0n) proposed.set(id, already + part)
    }
  }
  return proposed
}

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other)

function refundedSince(refunds: Refunds['refunds'], moment: Date): ReadonlySet<string> {
  const since = refunds.filter(({ createdAt }) => createdAt >= moment)
  const effective = since.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  return new Set(effective.flatMap(({ lines }) => lines.map(({ orderLineId }) => orderLineId)))
}

function shareOf(order: Pick<Order, 'lines'>, { orderLineId, chosen }: ChosenLine, before: number): bigint {
  const line = order.lines.find(({ id }) => id === orderLineId)
  return line ? subtotalOfUnits(line, { before, units: chosen }) : 0n
}

export async function laterPayments(sql: Sql, withdrawable: Pick<Withdrawable, 'lines' | 'declared'>) {
  const withdrawn = withdrawable.declared.flatMap((declared) => linesOf(withdrawable, declared))
  const lineIds = withdrawn.map(({ checkoutLineId }) => checkoutLineId)
  const subscriptions = await subscriptionsOfLines(sql, [...new Set(lineIds)])
  const orders = await paidOrdersOf(
    sql,
    [...subscriptions.values()].map(({ id }) => id),
  )
  return orders.map((order) => ({ order, number: documentNumber(order), paidAt: paidAtOf(order) }))
}
