import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { negotiateLocale } from '../../kernel/locale.ts'
import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { timeZoneIn } from '../../kernel/time-zone.ts'
import { sellingOf } from '../../modules/accounts/store.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import { originsOf } from '../../modules/checkouts/form-origins.ts'
import type { CheckoutPage } from '../../modules/checkouts/page.ts'
import { checkoutPath } from '../../modules/checkouts/resource.ts'
import * as rules from '../../modules/checkouts/rules/index.ts'
import { invoicePath } from '../../modules/orders/resource.ts'
import { isOwedSale, type Order, paidAtOf } from '../../modules/orders/rules/order.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { invoiceInForce, orderOfCheckout } from '../../modules/orders/store.ts'
import { noticeOf } from '../../modules/payments/notice.ts'
import { isOnItsWay } from '../../modules/payments/on-its-way.ts'
import * as payments from '../../modules/payments/store.ts'
import { sepaCreditorId } from '../../modules/subscriptions/direct-debit.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { takesPayments } from '../../providers/index.ts'
import { findCheckoutOf, prefilled } from './find-checkout.ts'
import { choiceOf } from './load-quote.ts'
import { owedState } from './owed.ts'
import { type FoundCheckout, quoteFor } from './quote.ts'
import { receiptOf } from './receipt.ts'

export async function loadCheckout(token: string, visitor: Visitor): Promise<Loaded<CheckoutPage>> {
  const view = await checkoutPage(token, visitor)
  if (!view) return unknownLink
  const isOver = view.state === 'expired' || (view.state === 'canceled' && !view.isWrittenOff)
  const shop = { redirectUrlSuccess: view.successUrl, redirectUrlCanceled: view.canceledUrl }
  return { status: isOver ? 410 : 200, view, origins: originsOf(shop) }
}

export async function checkoutPage(token: string, visitor: Visitor): Promise<CheckoutPage | null> {
  const found = await findCheckoutOf(token)
  if (!found) return null
  const { checkout, tenant, now } = found
  const locale = checkout.locale ?? negotiateLocale(visitor.acceptLanguage)
  const [order, view, { isSuspended }, canBePaid] = await Promise.all([
    orderOfCheckout(db(), checkout.id),
    storefrontView(db(), tenant.storefrontId),
    sellingOf(db(), tenant),
    takesPayments(tenant),
  ])
  const payment = order && (await payments.lastPayment(db(), order.id))
  const common = {
    locale,
    testmode: tenant.testmode,
    ...view,
    seller: sellerView(config().seller),
    successUrl: checkout.redirectUrlSuccess,
    canceledUrl: checkout.redirectUrlCanceled,
  }
  const isUnderway = isOnItsWay(payment)
  if (order && isOwedSale(order) && !isUnderway) return { ...common, ...(await owedState(tenant, order, payment)) }
  if (checkout.status === 'paid' && order?.status === 'paid') return { ...common, ...(await paidState(found, order)) }
  if (checkout.status === 'canceled' || order?.status === 'canceled')
    return { ...common, state: 'canceled', isWrittenOff: checkout.status === 'paid' }
  if (payment && order && isUnderway) {
    const settlesBefore = payment.settlesBefore ?? now
    return {
      ...common,
      state: 'pending',
      isDirectDebit: payment.method === 'directdebit',
      transfer: payment.transfer,
      total: amount(order.total, order.currency),
      settlesBefore: toWire(settlesBefore),
      receipt: await receiptOf(checkout, order, { tenant, now, settlesBefore }),
    }
  }
  if (!rules.isOpen(checkout, now)) return { ...common, state: 'expired' }
  if (!canBePaid) return { ...common, state: 'live_not_set_up' }
  if (isSuspended) return { ...common, state: 'suspended' }

  const form = checkout.draft?.form ?? (await prefilled(found, visitor))
  return {
    ...common,
    state: 'open',
    // The quote uses the time zone of the country until a script in the browser sends the buyer's time zone.
    quote: await quoteFor(found, await choiceOf(found, form), {
      chosen: form.paymentMethod,
      timeZone: checkout.draft?.timeZone ?? timeZoneIn(form.country, now),
    }),
    form,
    beginsAtOnce: checkout.draft?.beginsAtOnce ?? false,
    problems: checkout.draft?.problems ?? {},
    notice: checkout.draft?.totalChanged ? { kind: 'total_changed' } : noticeOf(payment),
    submitUrl: `${checkoutPath(checkout.id)}/submit`,
    sepaCreditorId: sepaCreditorId(checkout.testmode),
    quoteUrl: `${checkoutPath(checkout.id)}/quote`,
    expiresAt: toWire(checkout.expiresAt),
  }
}

async function paidState({ checkout, tenant, now }: FoundCheckout, order: Order) {
  const { id, invoice } = await invoiceInForce(db(), tenant, order)
  return {
    state: 'paid',
    total: amount(order.total, order.currency),
    paidAt: toWire(paidAtOf(order)),
    invoiceNumber: invoice?.number ?? null,
    invoiceUrl: invoice && pageUrl(invoicePath(id)),
    email: order.customerDetails.email ?? '',
    receipt: await receiptOf(checkout, order, { tenant, now, settlesBefore: null }),
  } as const
}
