import { toWire } from '../../kernel/moment.ts'
import { type Amount, amount, sum } from '../../kernel/money.ts'
import type { Sql } from '../../platform/db/db.ts'
import { unpaidOrders } from '../orders/store.ts'
import { endsAt } from './rules/index.ts'
import { openRecoveries } from './store.ts'

/** What was billed to a subscription and is not paid yet: it is collected also if the subscription is canceled. */
export interface Unpaid {
  readonly total: Amount
  /**
   * What happens if it does not arrive: the subscription ends before its paid time would, at a moment that is null while a charge
   * is on its way. Null if its paid time is over by then.
   */
  readonly endsEarlier: { readonly at: string | null } | null
}

/** Null if all is paid. Of a subscription that has ended it is what was on its way then (`writeOffOutstanding`). */
export async function unpaidOf(
  sql: Sql,
  { id, renewedUntil }: { readonly id: string; readonly renewedUntil: Date | null },
): Promise<Unpaid | null> {
  const orders = await unpaidOrders(sql, id)
  const [oldest] = orders
  if (!oldest) return null
  const total = amount(sum(orders.map((order) => order.total)), oldest.currency)
  const recoveries = await openRecoveries(sql, id)
  const ends = orders.flatMap((order) => {
    const recovery = recoveries.find(({ orderId }) => orderId === order.id)
    return (recovery && endsAt(recovery)) ?? []
  })
  const [first] = ends.sort((a, b) => a.getTime() - b.getTime())
  if (!first) return { total, endsEarlier: { at: null } }
  return { total, endsEarlier: renewedUntil && first < renewedUntil ? { at: toWire(first) } : null }
}
