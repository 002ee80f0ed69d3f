import type { BuyerChoice } from '../../modules/checkouts/rules/index.ts'
import { taxInputOf } from '../../modules/checkouts/tax-input.ts'
import type { BillingDetails } from '../../modules/customers/rules/billing-details.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { isRepetition, isUsable, refusedDraft, savedDraft } from '../../modules/form-links/rules/form-link.ts'
import { invoiceUpdatePath } from '../../modules/invoice-updates/link.ts'
import {
  invoiceUpdateOf,
  invoiceUpdateProblems,
  type LateTaxId,
  needsTaxId,
  readInvoiceUpdate,
} from '../../modules/invoice-updates/rules/form.ts'
import { updateInvoiceDetails } from '../../modules/invoice-updates/rules/update.ts'
import * as store from '../../modules/invoice-updates/store.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { bearsCorrectableTax } from '../../modules/orders/rules/tax-correction.ts'
import { lockOrder, saveOrder } from '../../modules/orders/store.ts'
import { lockSubscriptionsOfCustomer } from '../../modules/subscriptions/store.ts'
import { canonicalTaxId, needsCheck, registryFor } from '../../modules/tax/rules/index.ts'
import { byCustomer } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { changeDetails } from '../billing-update/change-details.ts'
import { askAgainLater } from '../tax-ids/ask-again-later.ts'
import { withTaxFacts } from '../tax-ids/check.ts'
import { correctTax } from './correct-tax.ts'
import { currentInvoice, type FoundUpdate, findUpdate } from './find-update.ts'

/** Returns the next page; null if the link is unknown. A second submission of the same form has no effect. */
export async function submitInvoiceUpdate(
  token: string,
  form: URLSearchParams,
): Promise<{ redirectTo: string } | null> {
  const found = await findUpdate(token)
  if (!found) return null
  const page = invoiceUpdatePath(found.link.id)
  const choice = await lateChoice(found, form)
  const outcome = await transact(byCustomer(found.tenant), (tx) => save(tx, found.link.id, form, choice))
  return { redirectTo: { closed: page, problems: `${page}#problems`, saved: `${page}?saved` }[outcome] }
}

/** Checks the tax ID with the tax registry if a refund of tax or a reverse charge depends on it. Call this function outside any transaction. */
async function lateChoice({ tenant, order, now }: FoundUpdate, sent: URLSearchParams): Promise<BuyerChoice> {
  const { country, taxId, postalCode } = readInvoiceUpdate(sent, order)
  const choice = { ...taxInputOf({ country, taxId, postalCode }), sellerCountry: order.seller.country }
  const hasOwnTax = order.replacesOrderId === null && config().correctsLateTaxIds && bearsCorrectableTax(order, now)
  const asker = { checkoutId: null, customerId: order.customerId }
  return hasOwnTax || changesNeededTaxId(order, taxId) ? withTaxFacts(tenant, choice, asker) : choice
}

const changesNeededTaxId = (order: Order, taxId: string): boolean =>
  needsTaxId(order) && canonicalTaxId(taxId) !== canonicalTaxId(order.customerDetails.taxId ?? '')

/** Locks the link, the subscriptions, and then the order, as all transactions do. */
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
  // A form under another link may have replaced this invoice while this call waited for the lock.
  if ((await lockOrder(sql, tx, order.id))?.replacedById) return 'closed'
  if (customerId !== null) await changeDetails(tx, subscriptions, details)
  if (needsTaxId(order)) await askAgainLater(tx, choice)
  const updated = await updateInvoice(tx, order.id, details)
  const outcome = updated && (await correctTax(tx, await paidOrder(tx, updated), choice))
  await store.saveDraft(sql, linkId, savedDraft(link.draft, form, outcome ?? true))
  return 'saved'
}

/** Returns the result of the tax ID check, or null if no reverse charge depends on the tax ID. */
function lateTaxIdOf(order: Order, choice: BuyerChoice): LateTaxId {
  const { taxId, country, facts } = choice
  if (!taxId || !facts) return null
  const sale = { ...choice, buyerCountry: country }
  if (!(needsTaxId(order) ? registryFor(sale) : needsCheck(sale))) return null
  const result = facts.taxIdResults[canonicalTaxId(taxId)]
  return result === 'unknown' && needsTaxId(order) && facts.acceptsUnknown ? 'valid' : (result ?? 'unknown')
}

/** For an invoice that replaces another invoice, locks and returns the order of the replaced invoice. */
async function paidOrder({ sql, ...tenant }: Transaction, order: Order): Promise<Order> {
  if (order.replacesOrderId === null) return order
  const paid = await lockOrder(sql, tenant, order.replacesOrderId)
  if (!paid) throw new Error(`the invoice ${order.id} replaces no order`)
  return paid
}

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
