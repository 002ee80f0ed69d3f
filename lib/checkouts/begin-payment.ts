import type { Locale } from '../kernel/locale.ts'
import { orderStates } from '../orders/rules/order.ts'
import { insertOrder, orderOfCheckout, saveOrder } from '../orders/store.ts'
import { paymentStates } from '../payments/rules/state.ts'
import { sandbox } from '../payments/sandbox/provider.ts'
import * as payments from '../payments/store.ts'
import type { Scope } from '../platform/clock.ts'
import { config } from '../platform/config.ts'
import { pageUrl } from '../platform/links.ts'
import { transact, type Work } from '../platform/transact.ts'
import { translator } from '../platform/translate.ts'
import { subscriptionsOfLines } from '../subscriptions/store.ts'
import { amount, choiceOf } from './choice.ts'
import { completeSale } from './complete-sale.ts'
import type { BuyerForm } from './page.ts'
import { checkoutPath } from './resource.ts'
import * as rules from './rules/index.ts'
import * as store from './store.ts'

type Next =
  | { kind: 'page'; problems?: boolean }
  | { kind: 'paid' }
  | { kind: 'cancel first' }
  | { kind: 'pay'; payment: payments.Payment }

/**
 * One step of paying, with the checkout locked: checks the form, makes or renews the one order, and intends a payment. An
 * open payment of the same amount and method is gone on with; another one is canceled first.
 */
export async function beginPayment(
  work: Work,
  checkoutId: string,
  { typed, seenTotal, locale }: { typed: BuyerForm; seenTotal: string | null; locale: Locale },
): Promise<Next> {
  const { sql, now, newId, ...scope } = work
  const checkout = await store.lockCheckout(sql, scope, checkoutId)
  if (!checkout || !rules.isOpen(checkout, now)) return { kind: 'page' }
  const before = await orderOfCheckout(sql, checkoutId)
  const last = before && (await payments.lastPayment(sql, before.id))
  if (last?.status === 'pending') return { kind: 'page' }

  const choice = choiceOf(typed)
  const companyDetails = rules.companyDetailsFor(rules.taxIdEffectOf(choice), scope)
  const problems = rules.formProblems(typed, rules.fieldsRequiredBy(companyDetails))
  if (Object.keys(problems).length > 0) {
    await store.saveCheckout(sql, { ...checkout, draft: { form: typed, problems, totalChanged: false } })
    return { kind: 'page', problems: true }
  }
  const buyer = rules.buyerOf(typed)
  const quoted = rules.quoteSale(checkout, choice, now)
  const total = amount(quoted.due.total, quoted.currency)
  const totalChanged = seenTotal !== null && seenTotal !== '' && seenTotal !== `${total.value} ${total.currency}`
  const withDraft = { ...checkout, draft: { form: typed, problems: {}, totalChanged } }
  await store.saveCheckout(sql, withDraft)
  if (totalChanged) return { kind: 'page' }

  if (last?.status === 'open' || last?.status === 'created') {
    const same =
      last.method === buyer.paymentMethod &&
      last.amount.minor === quoted.due.total &&
      last.amount.currency === quoted.currency
    if (!same && last.status === 'open') return { kind: 'cancel first' }
    if (!same) {
      const status = paymentStates.on(last.status, 'cancel', 'payment_finished')
      await payments.savePayment(sql, { ...last, status, finishedAt: now })
    }
  }
  const made = rules.orderOfSale({
    checkout,
    quote: quoted,
    buyer,
    seller: config().seller,
    locale,
    id: before?.id ?? newId('order_'),
    createdAt: before?.createdAt ?? now,
    lineIds: quoted.due.lines.map(() => newId('order_item_')),
    verification: (await translator(locale))('orderLines.verification'),
  })
  const waiting = await subscriptionsOfLines(
    sql,
    checkout.lines.map((line) => line.id),
  )
  const order = {
    ...made,
    lines: rules.withSubscriptions(made, checkout, [...waiting.values()]),
    status: before?.status ?? made.status,
    customerId: before?.customerId ?? made.customerId,
  }
  if (before) await saveOrder(sql, order, { lines: true })
  else await insertOrder(sql, scope, order)

  if (order.total === 0n) {
    const mandate = rules.sellsSubscription(checkout) ? ('valid' as const) : null
    await completeSale(work, { checkout: withDraft, order }, { method: buyer.paymentMethod, mandate })
    return { kind: 'paid' }
  }
  const gone = last?.status === 'open' || last?.status === 'created' ? await payments.lastPayment(sql, order.id) : null
  if (gone && !paymentStates.isFinal(gone.status)) return { kind: 'pay', payment: gone }
  const payment: payments.Payment = {
    id: newId('payment_'),
    orderId: order.id,
    checkoutId,
    method: buyer.paymentMethod,
    amount: { minor: order.total, currency: order.currency },
    status: 'created',
    failureReason: null,
    makesMandate: rules.sellsSubscription(checkout),
    mandateId: null,
    provider: sandbox.name,
    ref: null,
    createdAt: now,
    finishedAt: null,
  }
  await payments.insertPayment(sql, scope, payment)
  return { kind: 'pay', payment }
}

/**
 * Opens an intended payment at the provider, outside any transaction, and writes down where it is. Repeated after a crash
 * or by a second click it finds the same payment there. Null when the payment was given up meanwhile; it is canceled there too.
 */
export async function openPayment(
  scope: Scope,
  checkout: rules.Checkout,
  intent: payments.Payment,
  locale: Locale,
): Promise<string | null> {
  const { ref, redirectUrl } = await sandbox.createFirstPayment(scope, {
    idempotencyKey: intent.id,
    amount: intent.amount,
    method: intent.method,
    makesMandate: intent.makesMandate,
    locale,
    returnUrl: pageUrl(checkoutPath(checkout.id)),
  })
  const open = await transact(scope, async ({ sql, ...rest }) => {
    await store.lockCheckout(sql, rest, checkout.id)
    const payment = await payments.lastPayment(sql, intent.orderId)
    if (payment?.id !== intent.id || paymentStates.isFinal(payment.status)) return false
    if (payment.status !== 'created') return true
    await payments.savePayment(sql, {
      ...payment,
      ref,
      status: paymentStates.on(payment.status, 'open', 'payment_finished'),
    })
    const order = await orderOfCheckout(sql, checkout.id)
    if (order) await saveOrder(sql, { ...order, status: orderStates.on(order.status, 'await', 'illegal_move') })
    return true
  })
  if (open) return redirectUrl
  await sandbox.cancelPayment(scope, ref)
  return null
}
