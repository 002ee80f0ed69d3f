import { toWire } from '../../kernel/moment.ts'
import { type Amount, amount, sum } from '../../kernel/money.ts'
import type { Sql } from '../../platform/db/db.ts'
import { ordersOwedBy } from '../orders/owed-sale.ts'
import { endsAt } from '../recovery/rules/index.ts'
import { recoveriesOwedBy } from '../recovery/store.ts'
import { changesAmong } from '../subscriptions/charged-changes.ts'

/** What was billed to a subscription and is not paid yet: it is collected also if the subscription is canceled. */
export interface Unpaid {
  readonly total: Amount
  /**
   * When the subscription ends early without the payment; the time is null while a charge is in progress. Null if a cancellation
   * ends the subscription before that time, or if only changes are unpaid, because an unpaid change never ends a subscription.
   */
  readonly endsEarlier: { readonly at: string | null } | null
  /** Whether only changes of the subscription are unpaid: without the payment they are undone. */
  readonly isOfChange: boolean
}

/**
 * `runsUntil` is the end of a subscription that was canceled; null where it continues, past the time that was billed too: while a
 * payment is outstanding nothing is renewed. Null if all is paid. Of a subscription that has ended it is what was on its way then
 * (`writeOffOutstanding`).
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
