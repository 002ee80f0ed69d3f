import { addressLines } from '../../kernel/address.ts'
import { toWire } from '../../kernel/moment.ts'
import { amount, sum } from '../../kernel/money.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import type { StorefrontView } from '../brand/page.ts'
import { invoicePath, ublPath } from '../orders/resource.ts'
import { documentNumber, type Order } from '../orders/rules/order.ts'
import { sellerView } from '../orders/seller-view.ts'
import { findOrder } from '../orders/store.ts'
import type { PaymentMethod } from '../payments/rules/method.ts'
import { isInEuVatArea, isOutsideScope, isReverseCharge } from '../tax/rules/index.ts'
import { correctionOf } from './correction.ts'
import type { InvoicePage } from './page.ts'
import { type DateOfSupply, lastSecondOf } from './rules/date-of-supply.ts'
import { hasEInvoice } from './rules/e-invoice.ts'
import { vatStatedOf } from './rules/vat-stated.ts'
import { causeOfCreditNote } from './store.ts'

export interface Paid {
  readonly order: Order
  readonly tenant: Tenant
  readonly invoice: NonNullable<Order['invoice']>
  readonly paidAt: Date
}

export async function invoicePage(
  { order, tenant, invoice, paidAt }: Paid,
  supply: DateOfSupply,
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

/** Returns the time of the sale. For a replacing invoice or a credit note, this is the time of the original sale. */
export async function soldAt({ order, tenant, paidAt }: Pick<Paid, 'order' | 'tenant' | 'paidAt'>): Promise<Date> {
  const originalId = order.creditedOrderId ?? order.replacesOrderId
  if (originalId === null) return paidAt
  const original = await findOrder(db(), tenant, originalId)
  if (!original?.paidAt) throw new Error(`the document ${order.id} refers to an unpaid order`)
  return soldAt({ order: original, tenant, paidAt: original.paidAt })
}

async function referencesOf(
  order: Order,
  tenant: Tenant,
): Promise<Pick<InvoicePage, 'credits' | 'replaces' | 'settledBy'>> {
  const { id, creditedOrderId, replacesOrderId } = order
  const originalId = creditedOrderId ?? replacesOrderId
  if (originalId === null) return { credits: null, replaces: null, settledBy: null }
  const original = await findOrder(db(), tenant, originalId)
  if (!original?.invoice || !original.paidAt)
    throw new Error(`the document ${id} refers to an order without an invoice`)
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

const taxable = (order: Order, rateName: string): bigint =>
  sum(order.lines.filter((line) => line.taxes.some(({ rate }) => rate.name === rateName)).map((line) => line.subtotal))

function reverseChargeOf({ taxSummary, seller, customerDetails }: Order): InvoicePage['reverseCharge'] {
  if (!isReverseCharge(taxSummary)) return null
  return isInEuVatArea(seller.country) && isInEuVatArea(customerDetails.country) ? 'in_eu' : 'outside_eu'
}

const daysOf = (period: NonNullable<DateOfSupply['period']>): { from: string; until: string } => ({
  from: toWire(period.from),
  until: toWire(lastSecondOf(period)),
})
