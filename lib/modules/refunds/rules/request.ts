import { type Currency, formatMoney, type Money } from '../../../kernel/money.ts'
import { type FieldErrors, invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Order } from '../../orders/rules/order.ts'
import { type Left, type Part, reverseLines } from '../../orders/rules/reverse.ts'

/** The amount is before tax. The same line may occur more than once. */
export interface RefundItem {
  readonly itemId: string
  readonly amount: Money
}

/** The error text on `orderId`; null if the order can be refunded. */
export function notRefundable(order: Order, left: Left): string | null {
  if (order.creditedOrderId !== null) return 'The order is a credit note: its money was already returned.'
  if (order.replacesOrderId !== null)
    return 'The order is an invoice that replaces another: refund the order that was paid.'
  if (order.status !== 'paid') return `Only a paid order can be refunded: this one is ${order.status}.`
  if (order.total === 0n) return 'Nothing was paid for the order: there is nothing to refund.'
  return left.subtotal > 0n ? null : 'The order has nothing left to refund.'
}

/** Refuses `validation_failed` with every item that exceeds the remaining amount of its line or of the order. */
export function partsOf(order: Order, left: Left, items: readonly RefundItem[]): Part[] {
  const reason = notRefundable(order, left)
  if (reason) throw invalid('orderId', reason)
  const problems = itemProblems(order, left, items)
  if (Object.keys(problems).length > 0) throw new Refusal('validation_failed', problems)
  const amounts = new Map<string, bigint>()
  for (const { itemId, amount } of items) amounts.set(itemId, (amounts.get(itemId) ?? 0n) + amount.minor)
  return reverseLines(left, amounts)
}

/** By field. The schema has already reported missing fields. */
export function itemProblems(order: Order, left: Left, items: readonly Partial<RefundItem>[]): FieldErrors {
  const problems: Record<string, readonly string[]> = {}
  const ofLines = new Map<string, bigint>()
  let ofOrder = 0n
  for (const [index, { itemId, amount }] of items.entries()) {
    const line = left.lines.find((each) => each.line.id === itemId)
    if (itemId !== undefined && !line) problems[`items.${index}.itemId`] = [notALine(order, itemId)]
    if (amount && amount.currency !== order.currency)
      problems[`items.${index}.amount.currency`] = [`Must be the order's own currency, ${order.currency}.`]
    if (!line || amount?.currency !== order.currency) continue
    const ofLine = ofLines.get(line.line.id) ?? 0n
    if (ofLine + amount.minor > line.subtotal)
      problems[`items.${index}.amount`] = [tooMuch('line', line.subtotal - ofLine, order.currency)]
    else if (ofOrder + amount.minor > left.subtotal)
      problems[`items.${index}.amount`] = [tooMuch('order', left.subtotal - ofOrder, order.currency)]
    else {
      // A refused item does not reduce what is left for the others.
      ofLines.set(line.line.id, ofLine + amount.minor)
      ofOrder += amount.minor
    }
  }
  return problems
}

const notALine = (order: Order, itemId: string): string =>
  order.lines.some(({ id }) => id === itemId)
    ? 'Only a line of more than 0.00 can be refunded.'
    : 'The order has no line with this id. Check that it belongs to the mode of your API key.'

const tooMuch = (of: 'line' | 'order', left: bigint, currency: Currency): string =>
  `Must be at most what is left to refund of the ${of}, before tax: ${formatMoney({ minor: left, currency })} ${currency}.`
