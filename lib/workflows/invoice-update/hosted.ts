import { toWire } from '../../kernel/moment.ts'
import { type Amount, amount } from '../../kernel/money.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import type { BuyerChoice } from '../../modules/checkouts/rules/index.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import type { BillingDetails } from '../../modules/customers/rules/billing-details.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import {
  draftVersion,
  isRepetition,
  isUsable,
  refusedDraft,
  savedDraft,
} from '../../modules/form-links/rules/form-link.ts'
import { invoiceUpdatePath } from '../../modules/invoice-updates/link.ts'
import type { InvoiceUpdatePage, TaxCorrectionView } from '../../modules/invoice-updates/page.ts'
import {
  companyDetailsOn,
  formOf,
  invoiceUpdateOf,
  invoiceUpdateProblems,
  type LateTaxId,
  needsTaxId,
  readInvoiceUpdate,
} from '../../modules/invoice-updates/rules/form.ts'
import type { InvoiceUpdateLink } from '../../modules/invoice-updates/rules/link.ts'
import { updateInvoiceDetails, withDetails } from '../../modules/invoice-updates/rules/update.ts'
import * as store from '../../modules/invoice-updates/store.ts'
import { correctionOf } from '../../modules/invoices/correction.ts'
import { invoicePath } from '../../modules/orders/resource.ts'
import { documentNumber, type Order, paidAtOf } from '../../modules/orders/rules/order.ts'
import { leftOf } from '../../modules/orders/rules/reverse.ts'
import { bearsCorrectableTax, taxLeft } from '../../modules/orders/rules/tax-correction.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { findOrder, lockOrder, openVerification, reversedOf, saveOrder } from '../../modules/orders/store.ts'
import { subscriptionResource } from '../../modules/subscriptions/resource.ts'
import type { Subscription } from '../../modules/subscriptions/rules/index.ts'
import { findSubscriptions, lockSubscriptionsOfCustomer, saveSubscriptions } from '../../modules/subscriptions/store.ts'
import { setTaxIdChecks } from '../../modules/subscriptions/timer.ts'
import { canonicalTaxId, needsCheck, registryFor } from '../../modules/tax/rules/index.ts'
import { taxFor } from '../../modules/tax/rules/tax-for.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { openLinkToken } from '../../platform/crypto/sealed.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { sendBillingUpdated } from '../customer-emails/billing-updated.ts'
import { announceChangedCharge } from '../customer-emails/changed-charge.ts'
import { askAgainLater, askSoon } from '../tax-ids/ask-again-later.ts'
import { withTaxFacts } from '../tax-ids/check.ts'
import { correctTax, mayCorrectTax } from './correct-tax.ts'

interface Found {
  readonly link: InvoiceUpdateLink
  readonly tenant: Tenant
  /** The link's order, or the invoice in its place. */
  readonly order: Order
  /** The invoice's number. */
  readonly number: string
  readonly now: Date
}

/** What the address asks for: the form, or the result once there is one. */
export type InvoiceUpdateView = 'form' | 'saved'

/** The page behind a link, in its current state. Null if the link is unknown. */
export async function invoiceUpdatePage(token: string, view: InvoiceUpdateView): Promise<InvoiceUpdatePage | null> {
  const found = await find(token)
  if (!found) return null
  const { link, tenant, order, number, now } = found
  const common = {
    locale: order.locale,
    testmode: tenant.testmode,
    ...(await storefrontView(db(), tenant.storefrontId)),
    seller: sellerView(order.seller),
    document: order.creditedOrderId === null ? ('invoice' as const) : ('creditNote' as const),
    number,
  }
  if (!isUsable(link, now)) return { ...common, state: 'expired' }
  const { draft } = link
  const [invoiceUrl, formUrl] = [invoicePath(order.id), invoiceUpdatePath(link.id)]
  if (view === 'saved' && draft?.saved) {
    const { saved } = draft
    return {
      ...common,
      state: 'done',
      invoiceUrl,
      formUrl,
      alsoLater: invoiceUpdateOf(draft.form).useForLaterOrders,
      correction: saved === 'corrected' ? await correctionView(db(), tenant, order) : null,
      notCorrected: saved === 'unconfirmed' || saved === 'open_money' ? saved : null,
    }
  }
  const refused = draft?.saved === null ? draft : null
  const stored = formOf(order)
  return {
    ...common,
    state: 'open',
    issuedAt: toWire(paidAtOf(order)),
    total: amount(order.total, order.currency),
    invoiceUrl,
    form: { ...(refused?.form ?? stored), country: stored.country },
    problems: refused?.problems ?? {},
    taxIdPrefix: taxFor(tenant).taxIdPrefix(stored.country),
    needsTaxId: needsTaxId(order),
    correctableTax: mayCorrectTax(order, now) ? await taxToReturn(db(), order) : null,
    companyDetails: companyDetailsOn(order),
    submitUrl: `${formUrl}/submit`,
    version: draftVersion(draft),
  }
}

/**
 * Handles the buyer's submit and returns the path that it leads to. Null if the link is unknown. A form with problems
 * leads back to the page with everything that was typed. A form that is sent twice counts once.
 */
export async function submitInvoiceUpdate(
  token: string,
  form: URLSearchParams,
): Promise<{ redirectTo: string } | null> {
  const found = await find(token)
  if (!found) return null
  const page = invoiceUpdatePath(found.link.id)
  const choice = await lateChoice(found, form)
  const outcome = await transact(found.tenant, (tx) => save(tx, found.link.id, form, choice))
  return { redirectTo: { closed: page, problems: `${page}#problems`, saved: `${page}?saved` }[outcome] }
}

/** The HTTP status of the page, without loading all its data. */
export async function invoiceUpdateStatus(token: string): Promise<200 | 404 | 410> {
  const found = await find(token)
  if (!found) return 404
  return isUsable(found.link, found.now) ? 200 : 410
}

async function find(token: string): Promise<Found | null> {
  const id = openLinkToken('invoice_update', 'invoice_link_', token)
  const found = id === null ? null : await store.findLinkAnywhere(db(), id)
  if (!found) return null
  const order = await currentInvoice(db(), found.tenant, found.link.orderId)
  if (!order?.invoice) return null
  return { ...found, order, number: order.invoice.number, now: await clockNow(db(), found.tenant) }
}

/** The order that a link is for, or the invoice in its place. */
async function currentInvoice(sql: Sql, tenant: Tenant, orderId: string): Promise<Order | null> {
  const order = await findOrder(sql, tenant, orderId)
  return order?.replacedById ? findOrder(sql, tenant, order.replacedById) : order
}

/**
 * The tax input of a form, with the registry's answer where the tax may go back, or where a reverse charge gets another
 * tax ID. Not for a transaction: it may ask.
 */
async function lateChoice({ tenant, order, now }: Found, sent: URLSearchParams): Promise<BuyerChoice> {
  const { country, taxId, postalCode } = readInvoiceUpdate(sent, order)
  const choice = { ...taxInputOf({ country, taxId, postalCode }), sellerCountry: order.seller.country }
  const hasOwnTax = order.replacesOrderId === null && config().correctsLateTaxIds && bearsCorrectableTax(order, now)
  const asker = { checkoutId: null, customerId: order.customerId }
  return hasOwnTax || changesNeededTaxId(order, taxId) ? withTaxFacts(tenant, choice, asker) : choice
}

/** Whether a form puts another tax ID on an invoice with a reverse charge, which was without tax by the former one. */
const changesNeededTaxId = (order: Order, taxId: string): boolean =>
  needsTaxId(order) && canonicalTaxId(taxId) !== canonicalTaxId(order.customerDetails.taxId ?? '')

/** Saves the details of a form. Locks in the usual order: link, subscriptions, order. */
async function save(
  tx: Transaction,
  linkId: string,
  sent: URLSearchParams,
  choice: BuyerChoice,
): Promise<'closed' | 'problems' | 'saved'> {
  const { sql, now } = tx
  const link = await store.lockLink(sql, linkId)
  const order = await currentInvoice(sql, tx, link.orderId)
  if (!order || !isUsable(link, now)) return 'closed'
  const form = readInvoiceUpdate(sent, order)
  if (isRepetition(link.draft, form, sent.get('version'))) return 'saved'
  const problems = invoiceUpdateProblems(form, order, lateTaxIdOf(order, choice))
  if (Object.keys(problems).length > 0) {
    await store.saveDraft(sql, linkId, refusedDraft(link.draft, form, problems))
    return 'problems'
  }
  const { details, useForLaterOrders } = invoiceUpdateOf(form)
  const customerId = useForLaterOrders ? order.customerId : null
  const subscriptions = customerId === null ? [] : await lockSubscriptionsOfCustomer(sql, tx, customerId)
  // The form of another link has replaced the invoice: its buyer has seen another one than they would change.
  if ((await lockOrder(sql, tx, order.id))?.replacedById) return 'closed'
  if (customerId !== null) await changeSubscriptions(tx, subscriptions, details)
  if (needsTaxId(order)) await askAgainLater(tx, choice)
  const updated = await updateInvoice(tx, order.id, details)
  const outcome = updated && (await correctTax(tx, await paidOrder(tx, updated), choice))
  await store.saveDraft(sql, linkId, savedDraft(link.draft, form, outcome ?? true))
  return 'saved'
}

/**
 * What the registry says of the tax ID, where a reverse charge would depend on it, or does; in test mode it always
 * confirms. Silence counts for an invoice with a reverse charge as it does at a sale.
 */
function lateTaxIdOf(order: Order, choice: BuyerChoice): LateTaxId {
  const { taxId, country, facts } = choice
  if (!taxId || !facts) return null
  const sale = { ...choice, buyerCountry: country }
  if (!(needsTaxId(order) ? registryFor(sale) : needsCheck(sale))) return null
  const result = facts.taxIdResults[canonicalTaxId(taxId)]
  return result === 'unknown' && needsTaxId(order) && facts.acceptsUnknown ? 'valid' : (result ?? 'unknown')
}

/** The order that was paid, locked: that of an invoice in its place, or the given one, which is locked. */
async function paidOrder({ sql, ...tenant }: Transaction, order: Order): Promise<Order> {
  if (order.replacesOrderId === null) return order
  const paid = await lockOrder(sql, tenant, order.replacesOrderId)
  if (!paid) throw new Error(`the invoice ${order.id} is in place of none`)
  return paid
}

/** The tax of an order that its buyer can still get back; null without any. */
async function taxToReturn(sql: Sql, order: Order): Promise<Amount | null> {
  const tax = taxLeft(leftOf(order, await reversedOf(sql, order.id)))
  return tax > 0n ? amount(tax, order.currency) : null
}

async function correctionView(sql: Sql, tenant: Tenant, order: Order): Promise<TaxCorrectionView | null> {
  const found = await correctionOf(sql, tenant, order)
  if (!found) return null
  const { paid, creditNote } = found
  const document = (order: Order) => ({ number: documentNumber(order), url: invoicePath(order.id) })
  const tax = amount(creditNote.total - creditNote.subtotal, creditNote.currency)
  return { tax, replacedInvoice: document(paid), creditNote: document(creditNote) }
}

/** `before`: all subscriptions of the customer, locked. */
async function changeSubscriptions(
  tx: Transaction,
  before: readonly Subscription[],
  details: BillingDetails,
): Promise<void> {
  const changed = withDetails(before, details)
  await saveSubscriptions(tx.sql, changed)
  for (const each of before) await changeVerification(tx, changed.find(({ id }) => id === each.id) ?? each)
  const { taxId, country } = details
  if (!tx.testmode && taxId && country) await askSoon(tx, taxId, country)
  await setTaxIdChecks(tx, changed)
  // One whose first payment is open has no event yet: it starts with the new details.
  const announced = changed.filter(({ startedAt }) => startedAt !== null)
  await tx.emitAll(
    announced.map((subscription) => ({
      name: 'subscription.billing_updated',
      object: subscriptionResource(subscription),
    })),
  )
  // One email for a customer, however many subscriptions they have, but for what the others charge next.
  const formerOf = (each: Subscription) => before.find(({ id }) => id === each.id) ?? each
  // Read again, because the details include the response of the tax registry.
  const [first, ...others] = await findSubscriptions(
    tx.sql,
    tx,
    changed.map(({ id }) => id),
  )
  if (first) await sendBillingUpdated(tx, formerOf(first), first)
  for (const each of others) await announceChangedCharge(tx, formerOf(each), each)
}

/** A payment method that is being verified was sent with the details of that moment: when it succeeds, it brings these. */
async function changeVerification({ sql }: Transaction, { id, billingAddress }: Subscription): Promise<void> {
  const order = await openVerification(sql, id)
  if (!order) return
  await saveOrder(sql, { ...order, customerDetails: { ...billingAddress, email: order.customerDetails.email } })
}

/** Returns the invoice, locked, with the details. */
async function updateInvoice(tx: Transaction, orderId: string, details: BillingDetails): Promise<Order | null> {
  const { sql, now, newId } = tx
  const order = await lockOrder(sql, tx, orderId)
  const earlier = (await store.earlierVersions(sql, orderId)).length
  const correction = order && updateInvoiceDetails(order, details, { earlier, now })
  if (!correction) return order
  await store.insertVersion(sql, tx, { id: newId('invoice_version_'), orderId, ...correction.former })
  await saveOrder(sql, correction.next)
  return correction.next
}
