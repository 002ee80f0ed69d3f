import { amount } from '../checkouts/choice.ts'
import type { PaymentMethod } from '../checkouts/page.ts'
import { addressLines } from '../kernel/address.ts'
import { toWire } from '../kernel/moment.ts'
import { sum } from '../kernel/money.ts'
import { invoicePath } from '../orders/resource.ts'
import type { Order, OrderLine } from '../orders/rules/order.ts'
import { sellerView } from '../orders/seller-view.ts'
import { findOrder, findOrderAnywhere } from '../orders/store.ts'
import { storefrontName } from '../people/store.ts'
import type { Scope } from '../platform/clock.ts'
import { db } from '../platform/db.ts'
import { openLinkToken } from '../platform/sealed.ts'
import { translator } from '../platform/translate.ts'
import { isInEuVatArea, isReverseCharge } from '../tax/rules/index.ts'
import type { InvoicePage, Sheet } from './page.ts'
import { sheetOf } from './sheet.ts'
import { causeOfCreditNote } from './store.ts'

/** The invoice or credit note in words; null when the link is none of ours. */
export async function invoiceSheet(token: string): Promise<Sheet | null> {
  const page = await invoicePage(token)
  return page && sheetOf(page, await translator(page.locale))
}

/** The same as a file; null when the link is none of ours. */
export async function invoicePdf(token: string): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> } | null> {
  const sheet = await invoiceSheet(token)
  if (!sheet) return null
  // Loaded at its first use: most of what runs here draws nothing.
  const { draw } = await import('./pdf/draw.ts')
  return { name: `${sheet.number}.pdf`, bytes: await draw(sheet) }
}

/** The invoice of a paid order, from what the order keeps of the sale; null when the link is none of ours. */
async function invoicePage(token: string): Promise<InvoicePage | null> {
  const id = openLinkToken('invoice', 'order_', token)
  const found = id && (await findOrderAnywhere(db(), id))
  if (!found) return null
  const { order, scope } = found
  if (!order.invoice || !order.paidAt) return null
  const { customerDetails: buyer, currency } = order
  return {
    locale: order.locale,
    testmode: order.testmode,
    number: order.invoice.number,
    issuedAt: toWire(order.paidAt),
    storefrontName: await storefrontName(db(), scope.storefrontId),
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
      service: servicePeriod(line),
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
    reverseCharge: reverseChargeOf(order),
    credits: await creditsOf(order, scope),
    correctedAt: order.correctedAt && toWire(order.correctedAt),
    pdfUrl: `${invoicePath(order.id)}/pdf`,
    paymentMethod: order.paymentMethod as PaymentMethod | null,
  }
}

/** The HTTP status of the page, cheaply. */
export async function invoiceStatus(token: string): Promise<200 | 404> {
  const id = openLinkToken('invoice', 'order_', token)
  const found = id === null ? null : await findOrderAnywhere(db(), id)
  return found?.order.invoice ? 200 : 404
}

async function creditsOf({ id, creditedOrderId }: Order, scope: Scope): Promise<InvoicePage['credits']> {
  if (creditedOrderId === null) return null
  const original = await findOrder(db(), scope, creditedOrderId)
  if (!original?.invoice || !original.paidAt) throw new Error(`credit note ${id} is of no invoice`)
  const { number } = original.invoice
  return { number, issuedAt: toWire(original.paidAt), cause: await causeOfCreditNote(db(), id) }
}

/** What a rate was charged on: the lines that bear it. */
const taxable = (order: Order, rateName: string): bigint =>
  sum(order.lines.filter((line) => line.taxes.some(({ rate }) => rate.name === rateName)).map((line) => line.subtotal))

function reverseChargeOf({ taxSummary, seller, customerDetails }: Order): InvoicePage['reverseCharge'] {
  if (!isReverseCharge(taxSummary)) return null
  return isInEuVatArea(seller.country) && isInEuVatArea(customerDetails.country) ? 'in_eu' : 'outside_eu'
}

/** Its first and its last day: that of its last second, so that a month from midnight on ends with the month. */
function servicePeriod({ onInvoice }: OrderLine): InvoicePage['lines'][number]['service'] {
  const service = onInvoice?.service
  return service ? { from: toWire(service.from), until: toWire(new Date(service.until.getTime() - 1000)) } : null
}
