import { boughtItems, type Checkout, isTrial } from '../../modules/checkouts/rules/index.ts'
import { findCheckout } from '../../modules/checkouts/store.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { isWithdrawable } from '../../modules/orders/rules/withdrawal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'

/** What a withdrawal from an order is about. */
export interface Withdrawn {
  /** As the buyer knows them. */
  readonly items: readonly { readonly name: string; readonly quantity: number }[]
  readonly checkoutLineIds: readonly string[]
  /** A free trial has none. */
  readonly orderLineIds: readonly string[]
}

/** The lines of a purchase that its buyer may withdraw from. */
export async function withdrawnOf(order: Order, tenant: Tenant, sql: Sql = db()): Promise<Withdrawn | null> {
  const checkout = order.checkoutId && (await findCheckout(sql, tenant, order.checkoutId))
  const { withdrawal } = order
  if (!checkout || !withdrawal) return null
  const isOf = (line: Checkout['lines'][number] | undefined) => line !== undefined && isWithdrawable(line, withdrawal)
  const billed = checkout.lines.filter((line) => !isTrial(line))
  return {
    items: boughtItems(checkout, order)
      .filter((_, index) => isOf(checkout.lines[index]))
      .map(({ name, quantity }) => ({ name, quantity })),
    checkoutLineIds: checkout.lines.filter(isOf).map(({ id }) => id),
    orderLineIds: order.lines.filter((_, index) => isOf(billed[index])).map(({ id }) => id),
  }
}
