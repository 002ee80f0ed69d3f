import { sum } from '../../kernel/money.ts'
import { hasOpenChargeback } from '../../modules/chargebacks/store.ts'
import type { BuyerChoice } from '../../modules/checkouts/rules/index.ts'
import type { Transaction } from '../../modules/events/transact.ts'
import { invoiceNumber, salesSeries } from '../../modules/invoices/rules/number.ts'
import { takeNumbers } from '../../modules/invoices/store.ts'
import { post } from '../../modules/ledger/post.ts'
import { postTaxCorrected } from '../../modules/ledger/rules/refund.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { leftOf, type Part } from '../../modules/orders/rules/reverse.ts'
import { bearsCorrectableTax, correctedParts, replacementOf } from '../../modules/orders/rules/tax-correction.ts'
import { insertOrder, reversedOf, saveOrder } from '../../modules/orders/store.ts'
import type { Refund } from '../../modules/refunds/rules/index.ts'
import * as refunds from '../../modules/refunds/store.ts'
import { sendRefund } from '../../modules/refunds/tasks.ts'
import { evidenceOf, taxFor } from '../../modules/tax/rules/index.ts'
import { findEvidence, insertEvidence } from '../../modules/tax/store.ts'
import { config } from '../../platform/config.ts'
import { sendInvoiceCorrected } from '../customer-emails/invoice-corrected.ts'
import { issueCreditNote, newReversal, reversalWords } from '../invoicing/credit-notes.ts'

export type TaxOutcome = 'corrected' | 'unconfirmed' | 'open_money' | null

export const mayCorrectTax = (order: Order, now: Date): boolean =>
  config().correctsLateTaxIds &&
  bearsCorrectableTax(order, now) &&
  taxFor(order).reverses({
    buyerCountry: order.customerDetails.country ?? '',
    sellerCountry: order.seller.country,
    postalCode: order.customerDetails.postalCode,
  })

/**
 * Corrects the tax of a paid order after the buyer added a tax ID that the registry has confirmed. A credit note
 * cancels the part of the invoice that was not refunded or disputed. A new invoice with a reverse charge replaces this
 * part, and the tax of this part is refunded. Returns `open_money` while a refund or a dispute has no outcome, because
 * its outcome changes this part. A repeated call issues no further documents. If the bank refused the tax refund, a
 * repeated call sends the refund again. The caller must hold the lock of `order`, and `order` must contain the new
 * details of the buyer.
 */
export async function correctTax(tx: Transaction, order: Order, choice: BuyerChoice): Promise<TaxOutcome> {
  const { sql, now, ...tenant } = tx
  if (order.replacedById !== null) return (await sendAgain(tx, order)) ? 'corrected' : null
  if (!order.customerDetails.taxId || !mayCorrectTax(order, now)) return null
  if (!isConfirmed(order, choice)) return 'unconfirmed'
  if (order.refundingSubtotal > 0n || (await hasOpenChargeback(sql, tenant, order.id))) return 'open_money'
  const parts = correctedParts(leftOf(order, await reversedOf(sql, order.id)))
  if (!parts) return null
  const replacement = await replace(tx, order, parts)
  if (!tenant.testmode) await keepEvidence(tx, order, replacement, choice)
  return 'corrected'
}

/**
 * If the registry does not respond, a sale can count the tax ID as valid, but a correction of the tax needs the
 * confirmation of the registry.
 */
function isConfirmed({ testmode, seller, customerDetails: buyer }: Order, { facts }: BuyerChoice): boolean {
  const effect = taxFor({ testmode }).taxIdEffect({
    buyerCountry: buyer.country ?? '',
    sellerCountry: seller.country,
    taxId: buyer.taxId,
    postalCode: buyer.postalCode,
    ...(facts && { facts: { ...facts, acceptsUnknown: false } }),
  })
  return effect === 'reverse_charge'
}

/** Takes the invoice number last, because other transactions wait for the number series. */
async function replace(tx: Transaction, order: Order, parts: { all: Part[]; tax: Part[] }): Promise<Order> {
  const { sql, now, newId, ...tenant } = tx
  const inWords = await reversalWords(order.locale)
  const rest = newReversal(tx, order, parts.all, 'refund_item_', (line) => inWords(line, 'correction'))
  const refund = await refundTax(tx, order, parts.tax)
  await post(tx, [
    {
      subjectId: order.id,
      cause: 'order.tax_corrected',
      orderId: order.id,
      currency: order.currency,
      entries: postTaxCorrected(refund.total),
    },
  ])
  const creditNote = await issueCreditNote(tx, order, rest, null)
  const series = salesSeries(tenant, now)
  const replacement = replacementOf(order, rest, {
    id: newId('order_'),
    lineIds: rest.lines.map(() => newId('order_item_')),
    number: { scope: series.scope, number: invoiceNumber(series, await takeNumbers(sql, series, 1)) },
    now,
  })
  await insertOrder(sql, tenant, replacement)
  await saveOrder(sql, { ...order, replacedById: replacement.id })
  await sendInvoiceCorrected(tx, { order, creditNote, replacement, tax: refund.total })
  return replacement
}

/** The refund is sent immediately. It does not wait for the merchant's balance, and cannot be canceled. */
async function refundTax(tx: Transaction, order: Order, parts: readonly Part[]): Promise<Refund> {
  const inWords = await reversalWords(order.locale)
  const reversal = newReversal(tx, order, parts, 'refund_item_', (line) => inWords(line, 'taxRefund'))
  if (!order.customerId) throw new Error(`the paid order ${order.id} has no customer`)
  const total = sum(reversal.lines.map((line) => line.total))
  return begin(tx, { ...reversal, total, orderId: order.id, customerId: order.customerId, currency: order.currency })
}

/** Sends the tax refund again if the bank refused it and the order has no open or lost dispute. */
async function sendAgain(tx: Transaction, order: Order): Promise<boolean> {
  const { sql, newId, ...tenant } = tx
  const last = await refunds.lastTaxRefund(sql, tenant, order.id)
  if (last?.status !== 'failed' || (await hasOpenChargeback(sql, tenant, order.id, { orLost: true }))) return false
  await begin(tx, { ...last, lines: last.lines.map((line) => ({ ...line, id: newId('refund_item_') })) })
  return true
}

async function begin(
  tx: Transaction,
  of: Pick<Refund, 'orderId' | 'customerId' | 'currency' | 'subtotal' | 'total' | 'taxSummary' | 'lines'>,
): Promise<Refund> {
  const { sql, now, newId, enqueue, ...tenant } = tx
  const { orderId, customerId, currency, subtotal, total, taxSummary, lines } = of
  const refund: Refund = {
    orderId,
    customerId,
    currency,
    subtotal,
    total,
    taxSummary,
    lines,
    id: newId('refund_'),
    testmode: tenant.testmode,
    status: 'processing',
    metadata: null,
    feeReturned: 0n,
    recalledAt: null,
    windowEndsAt: now,
    creditNoteId: null,
    createdAt: now,
    finishedAt: null,
  }
  await refunds.insertRefund(sql, tenant, refund)
  await enqueue(sendRefund, { key: refund.id, data: { refundId: refund.id }, dueAt: now })
  return refund
}

async function keepEvidence(tx: Transaction, order: Order, replacement: Order, { facts }: BuyerChoice): Promise<void> {
  const { sql, now } = tx
  const ofSale = await findEvidence(sql, order.id)
  await insertEvidence(sql, tx, [
    evidenceOf(replacement, order.customerDetails, facts, {
      ipCountry: ofSale?.ipCountry ?? null,
      paymentCountry: ofSale?.paymentCountry ?? null,
      countryConfirmedAt: ofSale?.countryConfirmedAt ?? null,
      taxReason: 'reverse_charge',
      exchangeRateOn: ofSale?.exchangeRateOn ?? null,
      createdAt: now,
    }),
  ])
}
