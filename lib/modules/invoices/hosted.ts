import { addressLines } from '../../kernel/address.ts'
import { toWire } from '../../kernel/moment.ts'
import { amount, sum } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { openLinkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { translator } from '../../platform/translate.ts'
import { Busy, WorkQueue } from '../../platform/work-queue.ts'
import { storefrontView } from '../brand/brand-view.ts'
import { logoFile } from '../brand/hosted.ts'
import type { StorefrontView } from '../brand/page.ts'
import type { StatementDocument } from '../ledger/page.ts'
import { invoicePath, ublPath } from '../orders/resource.ts'
import { documentNumber, type Order } from '../orders/rules/order.ts'
import { sellerView } from '../orders/seller-view.ts'
import { findOrder, findOrderAnywhere } from '../orders/store.ts'
import type { PaymentMethod } from '../payments/rules/method.ts'
import { isInEuVatArea, isOutsideScope, isReverseCharge } from '../tax/rules/index.ts'
import { correctionOf } from './correction.ts'
import { type Document, Documents } from './documents.ts'
import { invoiceDocumentOf } from './invoice-document.ts'
import type { FactSheet, InvoiceDocument, InvoicePage, InvoiceView } from './page.ts'
import { Workers } from './pdf/workers.ts'
import { type EInvoice, eInvoiceOf, hasEInvoice } from './rules/e-invoice.ts'
import { lastSecondOf, type Supply, supplyOf } from './rules/supply.ts'
import { vatStatedOf } from './rules/vat-stated.ts'
import { causeOfCreditNote } from './store.ts'
import { ciiOf } from './xml/cii.ts'
import { ublOf } from './xml/ubl.ts'

/** The invoice or credit note as a page. Null if the link is unknown. */
export async function invoiceView(token: string): Promise<InvoiceView | null> {
  const found = await orderOf(token)
  if (!found) return null
  const storefront = await storefrontView(db(), found.tenant.storefrontId)
  const { document } = await wordsOf(found, storefront)
  return { locale: document.locale, document, brand: storefront.brand, others: await othersOf(found) }
}

/** The same as a file. Null if the link is unknown. Throws `Busy` when there are too many requests. */
export async function invoicePdf(token: string): Promise<(Document & { name: string }) | null> {
  // An invalid link does not wait in the queue.
  if (openLinkToken('invoice', 'order_', token) === null) return null
  const found = await lookUp(token)
  if (!found) return null
  const { document: invoice, storefrontId } = found
  return { ...(await documents.get(invoice, storefrontId, () => logoOf(invoice))), name: `${invoice.number}.pdf` }
}

/**
 * The same as an electronic invoice in UBL 2.1. Null if the link is unknown, or if the standard has no room for the document.
 * Throws `Busy` when there are too many requests.
 */
export async function invoiceUbl(token: string): Promise<{ xml: string; name: string } | null> {
  if (openLinkToken('invoice', 'order_', token) === null) return null
  const content = (await lookUp(token))?.content
  return content ? { xml: ublOf(content), name: `${content.number}.xml` } : null
}

/** Throws `Busy` if the logo has been replaced since the document was read: a retry sees the new one. */
async function logoOf({ logo }: InvoiceDocument): Promise<Uint8Array | null> {
  const file = logo && (await logoFile(logo.url.slice(logo.url.lastIndexOf('/') + 1)))
  if (logo && !file) throw new Busy(1)
  return file?.bytes ?? null
}

type Found = ({ readonly storefrontId: string } & Worded) | null

/** A flood of requests for files must not take the database's connections from all others. */
const lookUps = new WorkQueue({ atOnce: 3, most: 500, mostOfOne: 1, retryAfterSeconds: 5 })
/** Look-ups that have not begun, by link: further requests share them, since they will see the state at their start. */
const waiting = new Map<string, Promise<Found>>()

function lookUp(token: string): Promise<Found> {
  const shared = waiting.get(token)
  if (shared) return shared
  let hasBegun = false
  const found = lookUps.run(token, async () => {
    hasBegun = true
    waiting.delete(token)
    const paid = await orderOf(token)
    if (!paid) return null
    const { storefrontId } = paid.tenant
    return { storefrontId, ...(await wordsOf(paid, await storefrontView(db(), storefrontId))) }
  })
  if (hasBegun) return found
  waiting.set(token, found)
  return found.finally(() => waiting.get(token) === found && waiting.delete(token))
}

const workers = new Workers()
const documents = new Documents(workers)

/** A record of facts as a file, drawn as documents are. Throws `Busy` if the thread died. */
export const factSheetPdf = (facts: FactSheet): Promise<Uint8Array<ArrayBuffer>> => workers.draw(facts)

/** A statement as a file. Throws `Busy` when there are too many requests. */
export const statementFile = async (statement: StatementDocument, storefrontId: string): Promise<Uint8Array> =>
  (await documents.get(statement, storefrontId)).bytes

export { Busy } from '../../platform/work-queue.ts'

/** Before the process ends: no more files. */
export const stopDrawing = (): Promise<void> => documents.close()

/** The paid order behind a link. Null if the link is unknown. */
async function orderOf(token: string): Promise<Paid | null> {
  const id = openLinkToken('invoice', 'order_', token)
  const found = id === null ? null : await findOrderAnywhere(db(), id)
  if (!found?.order.invoice || !found.order.paidAt) return null
  const { order, tenant } = found
  return { order, tenant, invoice: found.order.invoice, paidAt: found.order.paidAt }
}

interface Paid {
  readonly order: Order
  readonly tenant: Tenant
  readonly invoice: NonNullable<Order['invoice']>
  readonly paidAt: Date
}

interface Worded {
  readonly document: InvoiceDocument
  /** The same facts for a program to read; null where the standard has no room for them. */
  readonly content: EInvoice | null
}

async function wordsOf(paid: Paid, storefront: StorefrontView): Promise<Worded> {
  const { order, invoice, paidAt } = paid
  const supply = supplyOf(order.lines, await soldAt(paid))
  const page = await invoicePage(paid, supply, storefront)
  const document = invoiceDocumentOf(page, await translator(page.locale))
  const named = (other: { number: string; issuedAt: string } | null) =>
    other && { number: other.number, issuedAt: new Date(other.issuedAt) }
  const content = eInvoiceOf({
    order,
    number: invoice.number,
    issuedAt: paidAt,
    credits: named(page.credits),
    replaces: named(page.replaces),
    supply,
    note: document.test?.note ?? null,
  })
  return { document: { ...document, eInvoice: content && ciiOf(content) }, content }
}

/** The invoice, from the order's own data. */
async function invoicePage(
  { order, tenant, invoice, paidAt }: Paid,
  supply: Supply,
  { storefrontName, brand }: StorefrontView,
): Promise<InvoicePage> {
  const { customerDetails: buyer, currency } = order
  return {
    locale: order.locale,
    testmode: order.testmode,
    number: invoice.number,
    issuedAt: toWire(paidAt),
    supply: { on: supply.at && toWire(supply.at), period: supply.period && daysOf(supply.period) },
    storefrontName,
    logo: brand.logo,
    support: brand,
    seller: sellerView(order.seller),
    buyer: {
      fullName: buyer.fullName,
      companyName: buyer.companyName,
      addressLines: addressLines(buyer, buyer.country),
      country: buyer.country,
      email: buyer.email,
      taxId: buyer.taxId,
    },
    lines: order.lines.map((line) => ({
      description: line.onInvoice?.description ?? line.description,
      service: line.onInvoice?.service ? daysOf(line.onInvoice.service) : null,
      change: line.onInvoice?.change ?? null,
      quantity: line.quantity,
      basePrice: { value: line.basePrice, currency },
      subtotal: amount(line.subtotal, currency),
      taxes: line.taxes.map(({ rate }) => ({ name: rate.name, percentage: Number(rate.percentage) })),
    })),
    subtotal: amount(order.subtotal, currency),
    taxes: order.taxSummary.map(({ rate, amount: tax }) => ({
      name: rate.name,
      percentage: Number(rate.percentage),
      taxable: amount(taxable(order, rate.name), currency),
      amount: amount(tax, currency),
    })),
    total: amount(order.total, currency),
    vatStated: vatStatedOf(order),
    reverseCharge: reverseChargeOf(order),
    isOutsideScope: isOutsideScope(order.taxSummary),
    ...(await referencesOf(order, tenant)),
    correctedAt: order.correctedAt && toWire(order.correctedAt),
    pdfUrl: `${invoicePath(order.id)}/pdf`,
    ublUrl: hasEInvoice(order) ? ublPath(order.id) : null,
    paymentMethod: order.paymentMethod as PaymentMethod | null,
  }
}

/** The HTTP status of the page, without loading all its data. */
export async function invoiceStatus(token: string): Promise<200 | 404> {
  const id = openLinkToken('invoice', 'order_', token)
  const found = id === null ? null : await findOrderAnywhere(db(), id)
  return found?.order.invoice ? 200 : 404
}

/** The time of payment of a document's sale. A replacing invoice and a credit note belong to an earlier sale. */
async function soldAt({ order, tenant, paidAt }: Pick<Paid, 'order' | 'tenant' | 'paidAt'>): Promise<Date> {
  const originalId = order.creditedOrderId ?? order.replacesOrderId
  if (originalId === null) return paidAt
  const original = await findOrder(db(), tenant, originalId)
  if (!original?.paidAt) throw new Error(`document ${order.id} is about no sale`)
  return soldAt({ order: original, tenant, paidAt: original.paidAt })
}

/** What a document says of others: a credit note, and the documents of a correction. Others name none. */
async function referencesOf(
  order: Order,
  tenant: Tenant,
): Promise<Pick<InvoicePage, 'credits' | 'replaces' | 'settledBy'>> {
  const { id, creditedOrderId, replacesOrderId } = order
  const originalId = creditedOrderId ?? replacesOrderId
  if (originalId === null) return { credits: null, replaces: null, settledBy: null }
  const original = await findOrder(db(), tenant, originalId)
  if (!original?.invoice || !original.paidAt) throw new Error(`document ${id} is about no invoice`)
  const named = { number: original.invoice.number, issuedAt: toWire(original.paidAt) }
  if (creditedOrderId === null) return { credits: null, replaces: named, settledBy: null }
  const correction = await correctionOf(db(), tenant, order)
  const cause = correction ? 'correction' : await causeOfCreditNote(db(), id)
  return {
    credits: { ...named, cause },
    replaces: null,
    settledBy: correction && documentNumber(correction.replacement),
  }
}

/** The other documents of a correction. The file of a document does not change by one, so that only the page has them. */
async function othersOf({ order, tenant }: Paid): Promise<InvoiceView['others']> {
  const found = await correctionOf(db(), tenant, order)
  if (!found) return []
  const t = await translator(order.locale)
  return [found.paid, found.creditNote, found.replacement]
    .filter(({ id }) => id !== order.id)
    .map((other) => ({
      label: t(other.creditedOrderId === null ? 'invoice.title' : 'invoice.creditNote.title', {
        number: documentNumber(other),
      }),
      url: invoicePath(other.id),
    }))
}

/** The taxable amount of a rate: the sum of the lines that bear it. */
const taxable = (order: Order, rateName: string): bigint =>
  sum(order.lines.filter((line) => line.taxes.some(({ rate }) => rate.name === rateName)).map((line) => line.subtotal))

function reverseChargeOf({ taxSummary, seller, customerDetails }: Order): InvoicePage['reverseCharge'] {
  if (!isReverseCharge(taxSummary)) return null
  return isInEuVatArea(seller.country) && isInEuVatArea(customerDetails.country) ? 'in_eu' : 'outside_eu'
}

/** The first and the last day. */
const daysOf = (period: NonNullable<Supply['period']>): { from: string; until: string } => ({
  from: toWire(period.from),
  until: toWire(lastSecondOf(period)),
})
