import { boughtItems, isTrial } from '../../modules/checkouts/rules/index.ts'
import { findCheckout } from '../../modules/checkouts/store.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { isWithdrawable } from '../../modules/orders/rules/withdrawal.ts'
import { type DeclaredWithdrawal, findWithdrawals } from '../../modules/orders/withdrawals.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'

/** A line of a purchase that its buyer may withdraw from, or has withdrawn from. */
export interface WithdrawableLine {
  /** Of the checkout's line. */
  readonly position: number
  readonly checkoutLineId: string
  /** Null for a free trial. */
  readonly orderLineId: string | null
  /** As the buyer knows it. */
  readonly name: string
  readonly quantity: number
  readonly isDeclared: boolean
}

/** What the right of withdrawal of an order is about, and what was declared of it. */
export interface Withdrawable {
  readonly lines: readonly WithdrawableLine[]
  /** Whether the purchase has nothing beyond these lines. */
  readonly isAll: boolean
  /** The earliest first. */
  readonly declared: readonly DeclaredWithdrawal[]
}

/** Null without the right of withdrawal. */
export async function withdrawableOf(order: Order, tenant: Tenant, sql: Sql = db()): Promise<Withdrawable | null> {
  const checkout = order.checkoutId && (await findCheckout(sql, tenant, order.checkoutId))
  const { withdrawal } = order
  if (!checkout || !withdrawal) return null
  const declared = await findWithdrawals(sql, order.id)
  const declaredIds = new Set(declared.flatMap(({ checkoutLineIds }) => checkoutLineIds))
  const billed = checkout.lines.filter((line) => !isTrial(line))
  const lines = boughtItems(checkout, order).flatMap(({ name, quantity }, position) => {
    const line = checkout.lines[position]
    if (!line || !isWithdrawable(line, withdrawal)) return []
    const orderLineId = isTrial(line) ? null : (order.lines[billed.indexOf(line)]?.id ?? null)
    const { id: checkoutLineId } = line
    return [{ position, checkoutLineId, orderLineId, name, quantity, isDeclared: declaredIds.has(checkoutLineId) }]
  })
  return { lines, isAll: lines.length === checkout.lines.length, declared }
}

/** What `withdrawalState` asks about the lines. */
export const progressOf = ({ lines, declared }: Withdrawable): { isDeclared: boolean; isLeft: boolean } => ({
  isDeclared: declared.length > 0,
  isLeft: lines.some(({ isDeclared }) => !isDeclared),
})

/** The lines that a declaration was about. */
export const linesOf = ({ lines }: Withdrawable, { checkoutLineIds }: DeclaredWithdrawal): WithdrawableLine[] =>
  lines.filter(({ checkoutLineId }) => checkoutLineIds.includes(checkoutLineId))
