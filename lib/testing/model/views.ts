import { disputeFee } from './ledger.ts'
import { unpaidFrom } from './periods.ts'
import { softReasons, steps } from './recovery-schedule.ts'
import {
  type Chargeback,
  netOf,
  type Part,
  type Refund,
  refundableOf,
  reverseAll,
  reversedOf,
  taxOf,
  totalOf,
} from './reversal.ts'
import type { Line } from './tax.ts'
import { later, money, type Order, ordersOf, type Recovery, type Subscription, type World, wire } from './world.ts'

/** The views show amounts without a currency, and only nonzero taxes, by rate. */

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

const isFirst = (a: Order, b: Order): number =>
  Number(a.change !== null) - Number(b.change !== null) || (a.recovery?.number ?? 0) - (b.recovery?.number ?? 0)

export function owedView(world: World, subscription: Subscription) {
  const { orders, renewedUntil, startedAt } = subscription
  const isSaleOwed = orders.some(({ isSale, hasInvoice, status }) => isSale && hasInvoice && status === 'pending')
  const unpaid = isSaleOwed ? startedAt : unpaidFrom(subscription)
  const [order] = orders.filter(({ recovery }) => recovery?.open).sort(isFirst)
  return {
    paidUntil: wire(unpaid && renewedUntil && unpaid > renewedUntil ? renewedUntil : (unpaid ?? renewedUntil)),
    recovery: order?.recovery ? recoveryView(world, order, order.recovery) : null,
  }
}

function recoveryView(world: World, order: Order, { kind, stepsDone, nextStep, lastFailure }: Recovery) {
  const [, does] = steps[kind][stepsDone] ?? []
  const days = steps[kind].slice(stepsDone + 1).reduce((sum, [each]) => sum + each, 0)
  return {
    order: ordersOf(world).indexOf(order),
    amountDue: money(order.total),
    failureReason: lastFailure.reason,
    declineType: softReasons.includes(lastFailure.reason) ? 'soft' : 'hard',
    failedAt: wire(lastFailure.at),
    nextAttemptAt: does === 'charge' && !order.isSale ? wire(nextStep?.at ?? null) : null,
    endsAt: wire(nextStep && later(nextStep.at, { days })),
    waitsFor: order.attempt?.by === 'helper' ? 'simulate-payment' : null,
  }
}

const sumsView = ({ order: { rates }, parts }: Refund | Chargeback) => ({
  subtotal: money(netOf({ parts })),
  total: money(totalOf({ parts })),
  taxes: taxesView(
    rates,
    rates.map((_, rate) => taxOf({ parts: parts.map((part) => ({ ...part, taxes: [part.taxes[rate] ?? 0n] })) })),
  ),
})

const creditNoteView = (reversal: Refund | Chargeback) =>
  reversal.creditNote && {
    invoiceNumber: reversal.creditNote,
    status: 'paid',
    reversedSubtotal: '0.00',
    refundableSubtotal: '0.00',
    ...sumsView(reversal),
    lines: linesView(reversal.order, reversal.parts),
  }

const writeOffView = (order: Order) => ({
  ...orderView(order),
  invoiceNumber: order.creditNote,
  status: 'paid',
  reversedSubtotal: '0.00',
  refundableSubtotal: '0.00',
  lines: linesView(order, reverseAll(order)),
})

export const refundView = (refund: Refund) => ({
  status: refund.status,
  ...sumsView(refund),
  lines: linesView(refund.order, refund.parts),
  creditNote: creditNoteView(refund),
})
export type RefundView = ReturnType<typeof refundView>

/** A merchant is charged for a chargeback under review only after an operator accepted the amount. */
const isCharged = ({ status }: Chargeback): boolean => status !== 'requires_amount_review' && status !== 'rejected'

const chargebackView = (chargeback: Chargeback) => ({
  status: chargeback.status,
  amount: money(chargeback.amount),
  settlementAmount: money(isCharged(chargeback) ? totalOf(chargeback) + disputeFee : 0n),
  ...sumsView(chargeback),
  creditNote: creditNoteView(chargeback),
})

/** The views of refunds and chargebacks name their order by its index in `ordersOf`. */
export const moneyView = (world: World) => {
  const orders = ordersOf(world)
  return {
    refunds: world.refunds.map((each) => ({ of: orders.indexOf(each.order), ...refundView(each) })),
    chargebacks: world.chargebacks.map((each) => ({ of: orders.indexOf(each.order), ...chargebackView(each) })),
    writeOffs: orders
      .filter(({ creditNote }) => creditNote !== null)
      .sort((a, b) => world.creditNotes.indexOf(a.creditNote ?? '') - world.creditNotes.indexOf(b.creditNote ?? ''))
      .map((order) => ({ of: orders.indexOf(order), creditNote: writeOffView(order) })),
    refundEvents: world.refundEvents.map(({ refund, name }) => `${name} of ${world.refunds.indexOf(refund)}`),
    books: Object.fromEntries(
      [...world.books].filter(([, amount]) => amount !== 0n).map(([account, amount]) => [account, money(amount)]),
    ),
  }
}
