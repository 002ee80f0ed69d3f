import { boughtItems, isTrial } from '../../modules/checkouts/rules/index.ts'
import { findCheckout } from '../../modules/checkouts/store.ts'
import { timeZoneOf } from '../../modules/customers/store.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { isWithdrawable, type Progress } from '../../modules/orders/rules/withdrawal.ts'
import { type DeclaredWithdrawal, findWithdrawals } from '../../modules/orders/withdrawals.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'

interface WithdrawableLine {
  readonly position: number
  readonly checkoutLineId: string
  /** The order line; null for a free trial, which has no order line. */
  readonly orderLineId: string | null
  readonly name: string
  readonly quantity: number
  readonly left: number
}

export interface Withdrawable {
  readonly lines: readonly WithdrawableLine[]
  readonly isAll: boolean
  readonly declared: readonly DeclaredWithdrawal[]
  /** The buyer's time zone, for dates; null if it is unknown. */
  readonly timeZone: string | null
}

export async function withdrawableOf(order: Order, tenant: Tenant, sql: Sql = db()): Promise<Withdrawable | null> {
  const checkout = order.checkoutId && (await findCheckout(sql, tenant, order.checkoutId))
  const { withdrawal } = order
  if (!checkout || !withdrawal) return null
  const declared = await findWithdrawals(sql, order.id)
  const timeZone = await timeZoneOf(sql, tenant, order.customerId)
  const declaredLines = declared.flatMap((each) => each.lines)
  const billed = checkout.lines.filter((line) => !isTrial(line))
  const lines = boughtItems(checkout, order).flatMap(({ name, quantity }, position) => {
    const line = checkout.lines[position]
    if (!line || !isWithdrawable(line, withdrawal)) return []
    const orderLineId = isTrial(line) ? null : (order.lines[billed.indexOf(line)]?.id ?? null)
    const { id: checkoutLineId } = line
    const withdrawn = declaredLines.filter((each) => each.checkoutLineId === checkoutLineId)
    const left = withdrawn.reduce((rest, each) => rest - each.quantity, quantity)
    return [{ position, checkoutLineId, orderLineId, name, quantity, left }]
  })
  return { lines, isAll: lines.length === checkout.lines.length, declared, timeZone }
}

export const progressOf = ({ lines, declared, timeZone }: Withdrawable): Progress => ({
  timeZone,
  isDeclared: declared.length > 0,
  isLeft: lines.some(({ left }) => left > 0),
})

export type ChosenLine = WithdrawableLine & { readonly chosen: number }

export const linesOf = (
  { lines }: Pick<Withdrawable, 'lines'>,
  declared: Pick<DeclaredWithdrawal, 'lines'>,
): ChosenLine[] =>
  lines.flatMap((line) => {
    const about = declared.lines.find(({ checkoutLineId }) => checkoutLineId === line.checkoutLineId)
    return about ? [{ ...line, chosen: about.quantity }] : []
  })

/** `of` is the purchased quantity. */
export const itemOf = ({ name, chosen, quantity }: ChosenLine) => ({ name, quantity: chosen, of: quantity })
