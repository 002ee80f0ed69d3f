import { negotiateLocale } from '../../kernel/locale.ts'
import { readTimeZone } from '../../kernel/time-zone.ts'
import { checkoutPath } from '../../modules/checkouts/resource.ts'
import * as rules from '../../modules/checkouts/rules/index.ts'
import * as store from '../../modules/checkouts/store.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { isOwedSale } from '../../modules/orders/rules/order.ts'
import { orderOfCheckout } from '../../modules/orders/store.ts'
import * as payments from '../../modules/payments/store.ts'
import { byCustomer, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { countryOfVisitor } from '../../platform/http/visitor-country.ts'
import { takesPayments } from '../../providers/index.ts'
import { openOnPage } from '../collection/on-page.ts'
import { syncWithProvider } from '../collection/sync-payment.ts'
import { salePayment } from './apply-sale-update.ts'
import { beginPayment } from './begin-payment.ts'
import { cancelCheckout, cancelOpenPayment } from './cancel-or-expire.ts'
import { findCheckoutOf } from './find-checkout.ts'
import { choiceOf } from './load-quote.ts'
import { beginOwed, lockOwed, methodsForOwed } from './owed.ts'
import { type FoundCheckout, onOfferFor } from './quote.ts'

/** Returns the next URL; null if the link is unknown. Sending the form again creates no second order. */
export async function submitCheckout(
  token: string,
  form: URLSearchParams,
  visitor: Visitor,
): Promise<{ redirectTo: string } | null> {
  const found = await findCheckoutOf(token)
  return found && submitTo(found, form, visitor)
}

export async function submitTo(
  found: FoundCheckout,
  form: URLSearchParams,
  visitor: Visitor,
): Promise<{ redirectTo: string }> {
  const { checkout } = found
  const tenant = byCustomer(found.tenant)
  const page = checkoutPath(checkout.id)
  if (form.get('intent') === 'cancel') {
    await cancelCheckout(tenant, checkout.id)
    const after = await store.findCheckout(db(), tenant, checkout.id)
    return { redirectTo: after?.status === 'canceled' ? checkout.redirectUrlCanceled : page }
  }
  if (checkout.status === 'paid') return { redirectTo: await payOwed(tenant, checkout.id, form) }
  if (!(await takesPayments(tenant))) return { redirectTo: page }
  const typed = rules.readForm(form)
  const beginsAtOnce = form.get('beginAtOnce') === 'yes'
  const locale = checkout.locale ?? negotiateLocale(visitor.acceptLanguage)
  const choice = await choiceOf(found, typed)
  const onOffer = await onOfferFor(found, choice)
  const facts = {
    ipCountry: await countryOfVisitor(visitor.header),
    timeZone: readTimeZone(form.get('timeZone')),
    confirmedCountry: form.get('confirmCountry'),
    seenPrices: form.get('seenPrices'),
  }
  for (;;) {
    const next = await transact(tenant, (tx) =>
      beginPayment(tx, checkout.id, { typed, choice, locale, onOffer, beginsAtOnce, ...facts }),
    )
    switch (next.kind) {
      case 'page':
        return { redirectTo: next.problems ? `${page}#problems` : page }
      case 'paid':
        return { redirectTo: checkout.redirectUrlSuccess ?? page }
      case 'cancel first':
        await cancelOpenPayment(tenant, checkout.id)
        continue
      case 'pay': {
        const lock = ({ sql }: Transaction) => store.lockCheckout(sql, tenant, checkout.id)
        return { redirectTo: (await openOnPage(tenant, next.payment, pageUrl(`${page}/return`), lock)) ?? page }
      }
    }
  }
}

/**
 * Returns the URL of the provider's payment page. Returns the URL of the checkout if the form has no available method, or if `beginOwed` begins no payment.
 */
async function payOwed(tenant: Tenant, checkoutId: string, form: URLSearchParams): Promise<string> {
  const page = checkoutPath(checkoutId)
  const lock = (tx: Transaction) => lockOwed(tx, checkoutId)
  const order = await orderOfCheckout(db(), checkoutId)
  const methods = order && isOwedSale(order) ? await methodsForOwed(tenant, order) : []
  const method = methods.find((each) => each === form.get('paymentMethod'))
  if (!method) return page
  for (;;) {
    const payment = await transact(tenant, (tx) => beginOwed(tx, checkoutId, method))
    if (payment === null) return page
    if (payment !== 'cancel first') return (await openOnPage(tenant, payment, pageUrl(`${page}/return`), lock)) ?? page
    await cancelOpenPayment(tenant, checkoutId)
  }
}

export async function afterReturn(token: string): Promise<string | null> {
  const found = await findCheckoutOf(token)
  const order = found && (await orderOfCheckout(db(), found.checkout.id))
  const payment = order && (await payments.lastPayment(db(), order.id))
  if (found && payment?.status === 'open' && payment.ref)
    await syncWithProvider(found.tenant, payment.ref, { sale: salePayment })
  const after = found && (await store.findCheckout(db(), found.tenant, found.checkout.id))
  return after && afterPayment(after, order && (await payments.lastPayment(db(), order.id)))
}

export function afterPayment(checkout: rules.Checkout, payment: payments.Payment | null): string {
  // A buyer with a pending bank transfer is not redirected to the shop, because our own page shows the bank details of
  // the transfer.
  const isOnItsWay = payment?.status === 'pending' && payment.transfer === null
  // If the bank returned the debit of a sale, the checkout is still `paid`. A new payment for the sale can fail, so the
  // status of the last payment counts too.
  const isPaid = checkout.status === 'paid' && (payment === null || payment.status === 'paid')
  const goesOn = isPaid || isOnItsWay
  return (goesOn ? checkout.redirectUrlSuccess : null) ?? checkoutPath(checkout.id)
}
