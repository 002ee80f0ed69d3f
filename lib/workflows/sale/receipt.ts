import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import type { Receipt } from '../../modules/checkouts/page.ts'
import { boughtItems, type Checkout, quoteSale } from '../../modules/checkouts/rules/index.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import { timeZoneOf } from '../../modules/customers/store.ts'
import { ratesFor } from '../../modules/exchange/rates.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { lastWithdrawalDay, withdrawalState } from '../../modules/orders/rules/withdrawal.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import { portalSignInPath } from '../../modules/portal/link.ts'
import { nextCharge } from '../../modules/subscriptions/next-charge.ts'
import { isOngoing, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { subscriptionsOfLines } from '../../modules/subscriptions/store.ts'
import { taxFactsOf } from '../../modules/tax/rows.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { progressOf, withdrawableOf } from '../withdrawal/withdrawable.ts'

/**
 * While a payment is pending, the receipt computes the next charges from the latest time at which this payment can
 * settle (`settlesBefore`).
 */
export async function receiptOf(
  checkout: Checkout,
  order: Order,
  { tenant, now, settlesBefore }: { tenant: Tenant; now: Date; settlesBefore: Date | null },
): Promise<Receipt> {
  const begun = settlesBefore ? [] : await begunSubscriptions(checkout)
  const next = settlesBefore ? await expectedCharges(checkout, tenant, settlesBefore) : chargesOf(begun, now)
  return {
    items: boughtItems(checkout, order).map(({ name, quantity, total }) => ({
      name,
      quantity,
      total: total === null ? null : amount(total, order.currency),
    })),
    orderNumber: order.invoice ? null : order.id,
    statementName: order.total > 0n ? config().seller.statementName : null,
    withdrawal: await withdrawalView(order, tenant, now),
    cancelable: settlesBefore
      ? checkout.lines.some(({ billingInterval }) => billingInterval !== null)
        ? 'once_paid'
        : null
      : begun.some(isCancelable)
        ? 'now'
        : null,
    cancelUrl: `${portalSignInPath(tenant)}?cancel`,
    timeZone: (await timeZoneOf(db(), tenant, order.customerId)) ?? checkout.draft?.timeZone ?? null,
    nextCharges: next
      .filter(({ total }) => total > 0n)
      .map(({ total, at, ...charge }) => ({ ...charge, total: amount(total, order.currency), at: toWire(at) })),
  }
}

const isCancelable = (subscription: Subscription): boolean =>
  isOngoing(subscription) && subscription.status !== 'on_grace_period'

async function withdrawalView(order: Order, tenant: Tenant, now: Date): Promise<Receipt['withdrawal']> {
  const withdrawable = await withdrawableOf(order, tenant)
  const until = withdrawable && lastWithdrawalDay(order, withdrawable.timeZone)
  if (!withdrawable || !order.withdrawal || until === null) return null
  const state = withdrawalState(order, { ...progressOf(withdrawable), now })
  return state === 'open' || state === 'lost' ? { ...order.withdrawal, until, url: withdrawalPath(order.id) } : null
}

interface NextCharge {
  readonly name: string
  readonly quantity: number
  readonly total: bigint
  readonly at: Date
}

async function begunSubscriptions({ lines }: Checkout): Promise<Subscription[]> {
  const ids = lines.map(({ id }) => id)
  const begun = await subscriptionsOfLines(db(), ids)
  return ids.flatMap((id) => begun.get(id) ?? [])
}

const chargesOf = (subscriptions: readonly Subscription[], now: Date): NextCharge[] =>
  subscriptions.flatMap((subscription) => {
    const { name, quantity } = subscription
    const next = nextCharge(subscription, now)
    return next ? [{ name, quantity, total: next.total, at: next.at }] : []
  })

async function expectedCharges(checkout: Checkout, tenant: Tenant, settlesBefore: Date): Promise<NextCharge[]> {
  if (!checkout.draft) return []
  const choice = taxInputOf(checkout.draft.form, await ratesFor(db(), tenant, settlesBefore))
  const facts = await taxFactsOf(db(), tenant, [choice.taxId])
  const { renewals } = quoteSale(checkout, { ...choice, facts }, settlesBefore)
  return renewals.map(({ line: { name, quantity }, total, nextChargeAt }) => ({
    name,
    quantity,
    total,
    at: nextChargeAt,
  }))
}
