import { toWire } from '../../kernel/moment.ts'
import { type Amount, amount, sum } from '../../kernel/money.ts'
import type { Sql } from '../../platform/db/db.ts'
import { ordersOwedBy } from '../orders/owed-sale.ts'
import { endsAt } from '../recovery/rules/index.ts'
import { recoveriesOwedBy } from '../recovery/store.ts'
import { changesAmong } from '../subscriptions/charged-changes.ts'

/** The unpaid orders of a subscription. They stay due after the subscription is canceled. */
export interface Unpaid {
  readonly total: Amount
  /**
   * The end of the subscription if the amount stays unpaid. Null if a cancellation ends the subscription sooner, or if
   * only changes are unpaid. `at` is null while a charge is in progress.
   */
  readonly endsEarlier: { readonly at: string | null } | null
  /**
   * Whether only changes are unpaid. The service undoes an unpaid change, and an unpaid change never ends the
   * subscription.
   */
  readonly isOfChange: boolean
}

/**
 * `runsUntil` is the end of a canceled subscription, otherwise null. At the time `runsUntil`, `writeOffOutstanding`
 * writes off unpaid orders unless a payment is in progress.
 */
export async function unpaidOf(
  sql: Sql,
  { id, runsUntil }: { readonly id: string; readonly runsUntil: Date | null },
): Promise<Unpaid | null> {
  const orders = await ordersOwedBy(sql, id)
  const [oldest] = orders
  if (!oldest) return null
  const total = amount(sum(orders.map((order) => order.total)), oldest.currency)
  const changes = await changesAmong(
    sql,
    orders.map((order) => order.id),
  )
  const ending = orders.filter((order) => !changes.has(order.id))
  if (ending.length === 0) return { total, endsEarlier: null, isOfChange: true }
  const recoveries = await recoveriesOwedBy(sql, id)
  const ends = ending.flatMap((order) => {
    const recovery = recoveries.find(({ orderId }) => orderId === order.id)
    return (recovery && endsAt(recovery)) ?? []
  })
  const [first] = ends.sort((a, b) => a.getTime() - b.getTime())
  if (!first) return { total, endsEarlier: { at: null }, isOfChange: false }
  const endsEarlier = runsUntil && first >= runsUntil ? null : { at: toWire(first) }
  return { total, endsEarlier, isOfChange: false }
}
