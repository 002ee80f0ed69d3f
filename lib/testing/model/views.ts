import { disputeFee } from './ledger.ts'
import { type Chargeback, netOf, type Part, type Refund, refundableOf, reversedOf, taxOf, totalOf } from './reversal.ts'
import type { Line } from './tax.ts'
import { money, type Order, ordersOf, type World } from './world.ts'

/** The API's view of a storefront's money. Amounts have no currency; only nonzero taxes are listed, by rate. */

const taxesView = (rates: readonly bigint[], taxes: readonly bigint[]): string[] =>
  taxes.flatMap((tax, r) => (tax === 0n ? [] : [`${rates[r]}: ${money(tax)}`]))

const linesView = ({ rates }: Order, lines: readonly (Line | Part)[]) =>
  lines.map(({ subtotal, taxes }) => ({ subtotal: money(subtotal), taxes: taxesView(rates, taxes) }))

export const orderView = (order: Order) => ({
  status: order.status,
  subtotal: money(order.subtotal),
  total: money(order.total),
  reversedSubtotal: money(reversedOf(order)),
  refundableSubtotal: money(refundableOf(order)),
  taxes: taxesView(order.rates, order.taxes),
  lines: linesView(order, order.lines),
})

const sumsView = ({ order: { rates }, parts }: Refund | Chargeback) => ({
  subtotal: money(netOf({ parts })),
  total: money(totalOf({ parts })),
  taxes: taxesView(
    rates,
    rates.map((_, rate) => taxOf({ parts: parts.map((part) => ({ ...part, taxes: [part.taxes[rate] ?? 0n] })) })),
  ),
})

/** Amounts are positive, as on the refund or chargeback. */
const creditNoteView = (reversal: Refund | Chargeback) =>
  reversal.creditNote && {
    invoiceNumber: reversal.creditNote,
    status: 'paid',
    reversedSubtotal: '0.00',
    refundableSubtotal: '0.00',
    ...sumsView(reversal),
    lines: linesView(reversal.order, reversal.parts),
  }

export const refundView = (refund: Refund) => ({
  status: refund.status,
  ...sumsView(refund),
  lines: linesView(refund.order, refund.parts),
  creditNote: creditNoteView(refund),
})
export type RefundView = ReturnType<typeof refundView>

/** The merchant is charged only after an operator accepted the amount. */
const isCharged = ({ status }: Chargeback): boolean => status !== 'requires_amount_review' && status !== 'rejected'

const chargebackView = (chargeback: Chargeback) => ({
  status: chargeback.status,
  amount: money(chargeback.amount),
  settlementAmount: money(isCharged(chargeback) ? totalOf(chargeback) + disputeFee : 0n),
  ...sumsView(chargeback),
  creditNote: creditNoteView(chargeback),
})

/** Views of objects that belong to an order have the order's index in `ordersOf`. */
export const moneyView = (world: World) => {
  const orders = ordersOf(world)
  return {
    refunds: world.refunds.map((each) => ({ of: orders.indexOf(each.order), ...refundView(each) })),
    chargebacks: world.chargebacks.map((each) => ({ of: orders.indexOf(each.order), ...chargebackView(each) })),
    refundEvents: world.refundEvents.map(({ refund, name }) => `${name} of ${world.refunds.indexOf(refund)}`),
    books: Object.fromEntries(
      [...world.books].filter(([, amount]) => amount !== 0n).map(([account, amount]) => [account, money(amount)]),
    ),
  }
}
