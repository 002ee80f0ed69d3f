import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import type { OwedState } from '../../modules/checkouts/page.ts'
import { checkoutPath } from '../../modules/checkouts/resource.ts'
import * as checkouts from '../../modules/checkouts/store.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { invoicePath } from '../../modules/orders/resource.ts'
import { documentNumber, isOwedSale, type Order } from '../../modules/orders/rules/order.ts'
import { lockOrder, orderOfCheckout } from '../../modules/orders/store.ts'
import { noticeOf } from '../../modules/payments/notice.ts'
import { isOnItsWay } from '../../modules/payments/on-its-way.ts'
import { type PaymentMethod, testMethods } from '../../modules/payments/rules/method.ts'
import { methodsFor } from '../../modules/payments/rules/offer.ts'
import { lastPayment, type Payment } from '../../modules/payments/store.ts'
import { endsAt } from '../../modules/recovery/rules/index.ts'
import { recoveryOfOrder } from '../../modules/recovery/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { methodsOnOffer, takesPayments } from '../../providers/index.ts'
import { continueOrReplace, createPendingOnPage } from '../collection/pending-on-page.ts'

export async function owedState(tenant: Tenant, order: Order, payment: Payment | null): Promise<OwedState> {
  const recovery = await recoveryOfOrder(db(), order.id)
  const until = recovery && endsAt(recovery)
  return {
    state: 'owed',
    total: amount(order.total, order.currency),
    invoiceNumber: documentNumber(order),
    invoiceUrl: pageUrl(invoicePath(order.id)),
    methods: await methodsForOwed(tenant, order),
    until: until && toWire(until),
    notice: payment?.returnedAt === null ? noticeOf(payment) : null,
    submitUrl: `${checkoutPath(order.checkoutId ?? '')}/submit`,
  }
}

/** Returns the payment methods for an unpaid sale. Excludes bank transfers, which could take longer than the recovery. */
export async function methodsForOwed(tenant: Tenant, order: Order): Promise<readonly PaymentMethod[]> {
  if (!(await takesPayments(tenant))) return []
  const { total: minor, currency, customerDetails } = order
  const country = customerDetails.country ?? ''
  const taken = await methodsOnOffer(tenant, { amount: { minor, currency }, makesMandate: false, country })
  return methodsFor({
    country,
    currency,
    onOffer: taken.filter((method) => testMethods.some((each) => each === method)),
  })
}

/** Locks the checkout and then its order. Returns null if the checkout has no order. */
export async function lockOwed(tx: Transaction, checkoutId: string): Promise<Order | null> {
  const { sql, ...tenant } = tx
  await checkouts.lockCheckout(sql, tenant, checkoutId)
  const order = await orderOfCheckout(sql, checkoutId)
  return order && lockOrder(sql, tenant, order.id)
}

/**
 * Begins a payment of an unpaid sale, or continues an open payment with the same method. Returns `cancel first` if an open payment with another method must be
 * canceled first. Returns null if the order has no open recovery, or while another payment is pending.
 */
export async function beginOwed(tx: Transaction, checkoutId: string, method: PaymentMethod) {
  const { sql } = tx
  const order = await lockOwed(tx, checkoutId)
  const recovery = order && isOwedSale(order) ? await recoveryOfOrder(sql, order.id) : null
  if (!order || recovery?.status !== 'open') return null
  const last = await lastPayment(sql, order.id)
  if (isOnItsWay(last)) return null
  const purpose = { kind: 'sale', id: checkoutId } as const
  const due = { minor: order.total, currency: order.currency }
  const { customerDetails, locale } = order
  const wanted = { method, amount: due, purpose, customerDetails, locale }
  const standing = await continueOrReplace(tx, { before: order, last }, wanted)
  if (standing) return standing
  return createPendingOnPage(tx, { orderId: order.id, purpose, method, amount: due, makesMandate: false })
}
