import type { Locale } from '../../kernel/locale.ts'
import { only } from '../../kernel/only.ts'
import type { BillingUpdateLink } from '../../modules/billing-updates/rules/link.ts'
import { lockLink, saveDraft } from '../../modules/billing-updates/store.ts'
import { endVerification } from '../../modules/billing-updates/tasks.ts'
import type { BillingDetails } from '../../modules/customers/rules/billing-details.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { savedDraft } from '../../modules/form-links/rules/form-link.ts'
import { type Order, orderStates } from '../../modules/orders/rules/order.ts'
import { findOrder, insertOrder, openVerification, saveOrder } from '../../modules/orders/store.ts'
import { chargesOf, heldBackBy } from '../../modules/outstanding/coming-charges.ts'
import { applyProviderUpdate } from '../../modules/payments/apply-provider-update.ts'
import type { ProviderPayment } from '../../modules/payments/provider-data.ts'
import type { PaymentMethod } from '../../modules/payments/rules/method.ts'
import { findPayment, lastPayment, type Payment, savePayment } from '../../modules/payments/store.ts'
import { currentSubscription } from '../../modules/subscriptions/resource.ts'
import { isPastDebitNotice, type Subscription } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscription, saveSubscription } from '../../modules/subscriptions/store.ts'
import { setNotices, setTaxIdChecks } from '../../modules/subscriptions/timer.ts'
import { taxFactsOf } from '../../modules/tax/rows.ts'
import { continueOrReplace, createPendingOnPage } from '../collection/pending-on-page.ts'
import { announceDebit } from '../customer-emails/announce-charge.ts'
import { sendBillingUpdated } from '../customer-emails/billing-updated.ts'
import { draftOrders } from '../invoicing/bill.ts'
import { paidEvent, payOrder } from '../invoicing/pay-orders.ts'
import { keepMandate } from '../mandates/keep.ts'
import { collectOutstanding } from '../recovery/charge-outcome.ts'
import { totalOf } from './outstanding.ts'

/**
 * A verification is an order of 0.00 that the buyer confirms on the provider's page. The order stores the billing
 * details of the form, because the subscription changes only after the verification succeeds. A subscription has at
 * most one open verification, which the next form reuses.
 */

/** The data of a form that chooses a new method. The link and the subscription are locked. */
interface Sent {
  readonly link: BillingUpdateLink
  readonly subscription: Subscription
  readonly details: BillingDetails
  readonly method: PaymentMethod
  readonly locale: Locale
}

/**
 * Returns `cancel first` if another payment is open at the provider. Returns `on its way` if the buyer has confirmed a
 * payment that has no outcome yet.
 */
export async function beginVerification(
  tx: Transaction,
  { link, subscription, details, method, locale }: Sent,
): Promise<Payment | 'cancel first' | 'on its way'> {
  const { sql, now, ...tenant } = tx
  const before = await openVerification(sql, subscription.id)
  const last = before && (await lastPayment(sql, before.id))
  if (last?.status === 'pending') return 'on its way'
  const verified = { ...subscription, billingAddress: details, locale }
  const bill = { subscription: verified, lines: [{ kind: 'verification', amount: 0n }] } as const
  const draft = only(await draftOrders(tx, [bill]))
  const amount = { minor: 0n, currency: subscription.price.currency }
  const pending = { method, amount, purpose: { kind: 'verification', id: link.id } } as const
  const standing = await continueOrReplace(tx, { before, last }, { ...draft.order, ...pending })
  if (standing === 'cancel first') return standing

  const kept = before && { id: before.id, status: before.status, createdAt: before.createdAt }
  const order = { ...draft.order, ...kept, paymentMethod: method }
  if (before) await saveOrder(sql, order, { lines: true })
  else await insertOrder(sql, tenant, order)
  // The buyer cannot return to the verification after the link has expired.
  await tx.enqueue(endVerification, { key: order.id, data: { orderId: order.id }, dueAt: link.expiresAt })
  return standing ?? createPendingOnPage(tx, { ...pending, orderId: order.id, makesMandate: true })
}

/** Returns `cancel first` if the verification is open at the provider, and `on its way` if the provider can no longer cancel it. */
export async function withdrawVerification(
  tx: Transaction,
  subscription: Subscription,
): Promise<'withdrawn' | 'cancel first' | 'on its way'> {
  const order = await openVerification(tx.sql, subscription.id)
  if (!order) return 'withdrawn'
  const last = await lastPayment(tx.sql, order.id)
  if (last?.status === 'pending') return 'on its way'
  const attempt = await continueOrReplace(tx, { before: order, last }, null)
  if (attempt === 'cancel first') return attempt
  await endUnverified(tx, order)
  return 'withdrawn'
}

/** Applies an outcome once. Any outcome other than a success only updates the payment and emits no event. */
export async function applyVerificationUpdate(tx: Transaction, known: Payment, update: ProviderPayment): Promise<void> {
  const { sql, now } = tx
  if (known.purpose.kind !== 'verification') throw new Error(`payment ${known.id} verifies no payment method`)
  const link = await lockLink(sql, known.purpose.id)
  const subscription = await lockSubscription(sql, tx, link.subscriptionId)
  const payment = await findPayment(sql, tx, known.id)
  const order = await findOrder(sql, tx, known.orderId)
  if (!subscription || !payment || !order) throw new Error(`payment ${known.id} has no subscription to verify`)
  const applied = applyProviderUpdate(payment, update, now)
  if (!applied) return
  await savePayment(sql, applied)
  if (applied.status === 'paid') await complete(tx, { link, subscription, order, payment: applied, update })
}

interface Verified {
  readonly link: BillingUpdateLink
  readonly subscription: Subscription
  readonly order: Order
  readonly payment: Payment
  readonly update: ProviderPayment
}

async function complete(tx: Transaction, { link, subscription, order, payment, update }: Verified): Promise<void> {
  const { sql } = tx
  // If the subscription ended while the buyer was on the provider's page, nothing is charged later.
  const isOver = subscription.status === 'canceled'
  if (!isOver && !update.mandate) throw new Error(`the provider verified payment ${payment.id} without a mandate`)
  const next = isOver || !update.mandate ? null : await replaceMandate(tx, { subscription, order }, update.mandate)
  // The mandate is stored although no subscription uses it, so that a background job finds and revokes it.
  if (isOver && update.mandate) await keepMandate(tx, subscription.customerId, update.mandate)
  await payOrder(tx, order, payment.method, (paid) => tx.emit(paidEvent(tx, paid)))
  const charged = next ? await collectOutstanding(tx, next) : []
  if (!link.draft) return
  const isCharged = next !== null && charged.length > 0
  const waiting = isCharged ? chargesOf(next, await heldBackBy(sql, tx, next.id), tx.now).waiting : null
  await saveDraft(sql, link.id, savedDraft(link.draft, link.draft.form, { charged: totalOf(charged), waiting }))
}

async function replaceMandate(
  tx: Transaction,
  { subscription, order }: Pick<Verified, 'subscription' | 'order'>,
  set: NonNullable<ProviderPayment['mandate']>,
): Promise<Subscription> {
  const { email: _, ...billingAddress } = order.customerDetails
  const mandate = await keepMandate(tx, subscription.customerId, set)
  const taxFacts = await taxFactsOf(tx.sql, tx, [billingAddress.taxId])
  const next: Subscription = { ...subscription, billingAddress, taxFacts, mandate }
  await saveSubscription(tx.sql, next)
  await tx.emit({ name: 'subscription.billing_updated', object: await currentSubscription(tx.sql, next) })
  await setNotices(tx, [next])
  await setTaxIdChecks(tx, [next])
  await sendBillingUpdated(tx, subscription, next)
  // The verification has changed the account and the mandate reference, which the notice of a debit states. If the time
  // of the regular notice has passed, the notice is sent now.
  if (isPastDebitNotice(next, tx.now)) await announceDebit(tx, next)
  return next
}

/** Expires a verification instead of canceling it, because a canceled order would emit an event. */
export const endUnverified = ({ sql }: Transaction, order: Order): Promise<void> =>
  saveOrder(sql, { ...order, status: orderStates.on(order.status, 'expire') })
