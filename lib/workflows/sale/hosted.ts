import { negotiateLocale } from '../../kernel/locale.ts'
import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { readTimeZone, timeZoneIn } from '../../kernel/time-zone.ts'
import { sellingOf } from '../../modules/accounts/store.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import { originsOf } from '../../modules/checkouts/form-origins.ts'
import { type BuyerForm, buyerFields, type CheckoutPage, type Quote } from '../../modules/checkouts/page.ts'
import { checkoutPath } from '../../modules/checkouts/resource.ts'
import * as rules from '../../modules/checkouts/rules/index.ts'
import * as store from '../../modules/checkouts/store.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import { findCustomer } from '../../modules/customers/store.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { ratesFor } from '../../modules/exchange/rates.ts'
import { invoicePath } from '../../modules/orders/resource.ts'
import { type Order, paidAtOf } from '../../modules/orders/rules/order.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { invoiceInForce, orderOfCheckout } from '../../modules/orders/store.ts'
import { noticeOf } from '../../modules/payments/notice.ts'
import * as payments from '../../modules/payments/store.ts'
import { sepaCreditorId } from '../../modules/subscriptions/direct-debit.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { openLinkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { pageUrl } from '../../platform/http/links.ts'
import { countryOfVisitor } from '../../platform/http/visitor-country.ts'
import { takesPayments } from '../../providers/index.ts'
import { openOnPage } from '../collection/on-page.ts'
import { syncWithProvider } from '../collection/sync-payment.ts'
import { withTaxFacts } from '../tax-ids/check.ts'
import { salePayment } from './apply-sale-update.ts'
import { beginPayment } from './begin-payment.ts'
import { cancelCheckout, cancelOpenPayment } from './cancel-or-expire.ts'
import { beginOwed, isOwed, methodsForOwed, owedState } from './owed.ts'
import { type FoundCheckout, onOfferFor, quoteFor } from './quote.ts'
import { receiptOf } from './receipt.ts'

/** What a page may know of its visitor. */
export interface Visitor {
  readonly acceptLanguage: string | null
  header(name: string): string | null
}

/** The hosted page of a checkout, in its current state. Null if the link is unknown. */
export async function checkoutPage(token: string, visitor: Visitor): Promise<CheckoutPage | null> {
  const found = await find(token)
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
  if (order && isOwed(order) && payment?.status !== 'pending')
    return { ...common, ...(await owedState(tenant, order, payment)) }
  if (checkout.status === 'paid' && order?.status === 'paid') return { ...common, ...(await paidState(found, order)) }
  if (checkout.status === 'canceled' || order?.status === 'canceled')
    return { ...common, state: 'canceled', isWrittenOff: checkout.status === 'paid' }
  if (payment?.status === 'pending' && order) {
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
    // A script asks again in the zone of the browser, mostly that of the country: then no day on the page changes.
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

/** The content of the page of a paid checkout: the current invoice and the purchased items. */
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

/** The order as it would be with another `country`, `postalCode`, `taxId` or `currency`, in a time zone. Null if there is nothing left to pay. */
export async function quote(token: string, query: URLSearchParams, visitor: Visitor): Promise<Quote | null> {
  const found = await find(token)
  if (!found || !(await takesPayments(found.tenant)) || !rules.isOpen(found.checkout, found.now)) return null
  if ((await sellingOf(db(), found.tenant)).isSuspended) return null
  const form = found.checkout.draft?.form ?? (await prefilled(found, visitor))
  const { country, taxId, currency } = rules.readForm(query)
  const postalCode = query.get('postalCode') ?? form.postalCode
  const asked = { ...form, postalCode, taxId, currency, country: query.has('country') ? country : form.country }
  const timeZone = readTimeZone(query.get('timeZone'))
  return quoteFor(found, await choiceOf(found, asked), { chosen: asked.paymentMethod, timeZone })
}

/**
 * Handles the buyer's submit and returns where it leads: the shop's URL, or a path of ours. Null if the link is
 * unknown. A form with problems leads back to the page, which shows them with everything that was typed. Paying twice
 * makes one order.
 */
export async function submit(
  token: string,
  form: URLSearchParams,
  visitor: Visitor,
): Promise<{ redirectTo: string } | null> {
  const found = await find(token)
  if (!found) return null
  const { checkout, tenant } = found
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
        return { redirectTo: checkout.redirectUrlSuccess }
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
 * Handles the form of an owed order: opens a payment at the provider, and returns the address of the provider's page. Returns the
 * checkout's page if the buyer chose no offered method, or if the order is no longer owed.
 */
async function payOwed(tenant: Tenant, checkoutId: string, form: URLSearchParams): Promise<string> {
  const page = checkoutPath(checkoutId)
  const lock = ({ sql }: Transaction) => store.lockCheckout(sql, tenant, checkoutId)
  const order = await orderOfCheckout(db(), checkoutId)
  const methods = order && isOwed(order) ? await methodsForOwed(tenant, order) : []
  const method = methods.find((each) => each === form.get('paymentMethod'))
  if (!method) return page
  for (;;) {
    const payment = await transact(tenant, (tx) => beginOwed(tx, checkoutId, method))
    if (payment === null) return page
    if (payment !== 'cancel first') return (await openOnPage(tenant, payment, pageUrl(`${page}/return`), lock)) ?? page
    await cancelOpenPayment(tenant, checkoutId)
  }
}

/** The HTTP status of the page, without loading all its data. */
export async function checkoutStatus(token: string): Promise<200 | 404 | 410> {
  const found = await find(token)
  if (!found) return 404
  const { checkout, now } = found
  if (checkout.status === 'canceled' || checkout.status === 'expired') return 410
  if (checkout.status === 'paid' || rules.isOpen(checkout, now)) return 200
  const order = await orderOfCheckout(db(), checkout.id)
  const payment = order && (await payments.lastPayment(db(), order.id))
  return payment?.status === 'pending' ? 200 : 410
}

/** Origins of the shop that a form of the page may lead to. */
export async function checkoutOrigins(token: string): Promise<string[]> {
  const found = await find(token)
  return found ? originsOf(found.checkout) : []
}

/** Where a buyer goes who comes back from the provider's page; the outcome is asked for. Null if the link is unknown. */
export async function afterReturn(token: string): Promise<string | null> {
  const found = await find(token)
  const order = found && (await orderOfCheckout(db(), found.checkout.id))
  const payment = order && (await payments.lastPayment(db(), order.id))
  if (found && payment?.status === 'open' && payment.ref)
    await syncWithProvider(found.tenant, payment.ref, { sale: salePayment })
  const after = found && (await store.findCheckout(db(), found.tenant, found.checkout.id))
  return after && afterPayment(after, order && (await payments.lastPayment(db(), order.id)))
}

/** Where the buyer goes after the provider's page: to the shop, or back to the form. */
export function afterPayment(checkout: rules.Checkout, payment: payments.Payment | null): string {
  // Our page shows the bank details for the transfer.
  const isOnItsWay = payment?.status === 'pending' && payment.transfer === null
  // A payment of a returned purchase may fail although the checkout is paid.
  const isPaid = checkout.status === 'paid' && (payment === null || payment.status === 'paid')
  const goesOn = isPaid || isOnItsWay
  return goesOn ? checkout.redirectUrlSuccess : checkoutPath(checkout.id)
}

async function find(token: string): Promise<FoundCheckout | null> {
  const id = openLinkToken('checkout', 'checkout_', token)
  const found = id && (await store.findCheckoutAnywhere(db(), id))
  return found ? { ...found, now: await clockNow(db(), found.tenant) } : null
}

/** The shop's prefill with a country: the shop's, the visitor's address's, the browser's, or none. */
async function prefilled({ checkout, tenant }: FoundCheckout, visitor: Visitor): Promise<BuyerForm> {
  const customer = checkout.customerId === null ? null : await findCustomer(db(), tenant, checkout.customerId)
  const given: Record<string, string | null | undefined> = { ...checkout.billingAddress, email: customer?.email }
  const form = Object.fromEntries(buyerFields.map((field) => [field, given[field] ?? ''])) as BuyerForm
  const country =
    form.country || ((await countryOfVisitor(visitor.header)) ?? rules.defaultCountry(visitor.acceptLanguage))
  return { ...form, country, currency: 'EUR' }
}

/** What a form chooses, with what live mode's tax and currencies depend on. */
async function choiceOf({ checkout, tenant, now }: FoundCheckout, form: BuyerForm): Promise<rules.BuyerChoice> {
  return withTaxFacts(tenant, taxInputOf(form, await ratesFor(db(), tenant, now)), {
    checkoutId: checkout.id,
    customerId: checkout.customerId,
  })
}
