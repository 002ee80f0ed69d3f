import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import type { Receipt } from '../../modules/checkouts/page.ts'
import { boughtItems, type Checkout, quoteSale } from '../../modules/checkouts/rules/index.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import { timeZoneOf } from '../../modules/customers/store.ts'
import { ratesFor } from '../../modules/exchange/rates.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { lastWithdrawalDay } from '../../modules/orders/rules/withdrawal.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import { nextCharge } from '../../modules/subscriptions/next-charge.ts'
import { subscriptionsOfLines } from '../../modules/subscriptions/store.ts'
import { taxFactsOf } from '../../modules/tax/rows.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'

/**
 * What a buyer bought, and what is charged next. While a payment is on its way (`settlesBefore`) no subscription has
 * begun: the next charges are then counted from the moment by which it settles, as the sale will count them.
 */
export async function receiptOf(
  checkout: Checkout,
  order: Order,
  { tenant, now, settlesBefore }: { tenant: Tenant; now: Date; settlesBefore: Date | null },
): Promise<Receipt> {
  const next = settlesBefore
    ? await expectedCharges(checkout, tenant, settlesBefore)
    : await subscriptionCharges(checkout, now)
  return {
    items: boughtItems(checkout, order).map(({ name, quantity, total }) => ({
      name,
      quantity,
      total: total === null ? null : amount(total, order.currency),
    })),
    orderNumber: order.invoice ? null : order.id,
    withdrawal: await withdrawalView(order, tenant),
    hasSubscription: checkout.lines.some(({ cycle }) => cycle !== null),
    nextCharges: next
      .filter(({ total }) => total > 0n)
      .map(({ name, total, at }) => ({ name, total: amount(total, order.currency), at: toWire(at) })),
  }
}

async function withdrawalView(order: Order, tenant: Tenant): Promise<Receipt['withdrawal']> {
  const until = lastWithdrawalDay(order, await timeZoneOf(db(), tenant, order.customerId))
  return order.withdrawal && until !== null ? { ...order.withdrawal, until, url: withdrawalPath(order.id) } : null
}

interface NextCharge {
  readonly name: string
  readonly total: bigint
  readonly at: Date
}

/** By the rule that will bill it. None of a subscription that was canceled since. */
async function subscriptionCharges({ lines }: Checkout, now: Date): Promise<NextCharge[]> {
  const ids = lines.map(({ id }) => id)
  const subscriptions = await subscriptionsOfLines(db(), ids)
  return ids.flatMap((id) => {
    const subscription = subscriptions.get(id)
    const next = subscription && nextCharge(subscription, now)
    return subscription && next ? [{ name: subscription.name, total: next.total, at: next.at }] : []
  })
}

async function expectedCharges(checkout: Checkout, tenant: Tenant, settlesBefore: Date): Promise<NextCharge[]> {
  if (!checkout.draft) return []
  const choice = taxInputOf(checkout.draft.form, await ratesFor(db(), tenant, settlesBefore))
  const facts = await taxFactsOf(db(), tenant, [choice.taxId])
  const { renewals } = quoteSale(checkout, { ...choice, facts }, settlesBefore)
  return renewals.map(({ line, total, nextChargeAt }) => ({ name: line.name, total, at: nextChargeAt }))
}
