import { amount as amountOf, type Currency, type Money } from '../../../kernel/money.ts'
import { type FieldErrors, invalid, Refusal } from '../../../kernel/refusal.ts'
import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'
import type { Order } from '../../orders/rules/order.ts'
import { type Left, type Part, reverseLines } from '../../orders/rules/reverse.ts'

/** The amount is before tax. Several items can name the same line. */
export interface RefundItem {
  readonly itemId: string
  readonly amount: Money
}

export type NotRefundable =
  | 'refund_of_credit_note'
  | 'refund_of_replacement'
  | 'refund_of_unpaid'
  | 'refund_of_zero'
  | 'refunded_in_full'

export function notRefundable(order: Order, left: Left): RuleProblem<NotRefundable> | null {
  if (order.creditedOrderId !== null) return ruleProblem('refund_of_credit_note')
  if (order.replacesOrderId !== null) return ruleProblem('refund_of_replacement')
  if (order.status !== 'paid') return ruleProblem('refund_of_unpaid', { status: order.status })
  if (order.total === 0n) return ruleProblem('refund_of_zero')
  return left.subtotal > 0n ? null : ruleProblem('refunded_in_full')
}

/**
 * Throws `validation_failed` on `orderId` if the order cannot be refunded. Throws `validation_failed` with the problem
 * of each invalid item: an unknown line, another currency, or an amount above what remains of its line or order.
 */
export function partsOf(order: Order, left: Left, items: readonly RefundItem[]): Part[] {
  const reason = notRefundable(order, left)
  if (reason) throw invalid('orderId', reason)
  const problems = itemProblems(order, left, items)
  if (Object.keys(problems).length > 0) throw new Refusal('validation_failed', problems)
  const amounts = new Map<string, bigint>()
  for (const { itemId, amount } of items) amounts.set(itemId, (amounts.get(itemId) ?? 0n) + amount.minor)
  return reverseLines(left, amounts)
}

/** Returns the problems of the items, except missing fields, which the schema reports. */
export function itemProblems(order: Order, left: Left, items: readonly Partial<RefundItem>[]): FieldErrors {
  const problems: Record<string, readonly RuleProblem[]> = {}
  const ofLines = new Map<string, bigint>()
  let ofOrder = 0n
  for (const [index, { itemId, amount }] of items.entries()) {
    const line = left.lines.find((each) => each.line.id === itemId)
    if (itemId !== undefined && !line) problems[`items.${index}.itemId`] = [notALine(order, itemId)]
    if (amount && amount.currency !== order.currency)
      problems[`items.${index}.amount.currency`] = [ruleProblem('order_currency', { currency: order.currency })]
    if (!line || amount?.currency !== order.currency) continue
    const ofLine = ofLines.get(line.line.id) ?? 0n
    if (ofLine + amount.minor > line.subtotal)
      problems[`items.${index}.amount`] = [tooMuch('line', line.subtotal - ofLine, order.currency)]
    else if (ofOrder + amount.minor > left.subtotal)
      problems[`items.${index}.amount`] = [tooMuch('order', left.subtotal - ofOrder, order.currency)]
    else {
      ofLines.set(line.line.id, ofLine + amount.minor)
      ofOrder += amount.minor
    }
  }
  return problems
}

const notALine = (order: Order, itemId: string): RuleProblem =>
  order.lines.some(({ id }) => id === itemId) ? ruleProblem('refund_line_of_zero') : ruleProblem('refund_line_missing')

const tooMuch = (of: 'line' | 'order', left: bigint, currency: Currency): RuleProblem =>
  ruleProblem(`refund_of_${of}`, { most: amountOf(left, currency) })
