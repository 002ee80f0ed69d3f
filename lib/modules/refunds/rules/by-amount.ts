import { allocate, amount, type Currency, divideHalfAwayFromZero, smaller, sum } from '../../../kernel/money.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'
import type { Order } from '../../orders/rules/order.ts'
import {
  asInvoiced,
  type Left,
  type Part,
  reverseAll,
  reverseGross,
  reverseLines,
  totalOf,
} from '../../orders/rules/reverse.ts'
import { notRefundable } from './request.ts'

/** `value` is in minor units for an amount, and in hundredths of a percent for a share. */
export interface RefundSum {
  readonly of: 'amount' | 'share'
  readonly value: bigint
  /** `includesTax` is ignored for a share, because a share always refers to the total with tax. */
  readonly includesTax: boolean
}

export const everything = (left: Left): RefundSum => ({ of: 'amount', value: totalOf(left), includesTax: true })

/**
 * Divides the amount in proportion to the remaining amount of each line, by largest remainder. Throws
 * `validation_failed` on `orderId` if the order cannot be refunded. Throws `validation_failed` on `amount` if the
 * amount is below 0.01, above the remaining amount, or covers only tax.
 */
export function partsOfSum(order: Order, left: Left, asked: RefundSum): Part[] {
  const reason = notRefundable(order, left)
  if (reason) throw invalid('orderId', reason)
  const includesTax = asked.of === 'share' || asked.includesTax
  const most = includesTax ? totalOf(left) : left.subtotal
  const minor = asked.of === 'share' ? shareOf(order, asked.value, most) : asked.value
  if (minor < 1n || minor > most) throw invalid('amount', outside(most, includesTax, order.currency))
  if (minor === most) return reverseAll(left)
  const parts = includesTax ? reverseGross(order, left, minor) : reverseLines(left, netsOf(left, minor))
  if (sum(parts.map(({ subtotal }) => subtotal)) === 0n) throw invalid('amount', ruleProblem('refund_of_tax_only'))
  return parts
}

/**
 * Returns a share of the order's total. If rounding makes the share one cent larger than the remaining amount (`most`),
 * returns the remaining amount.
 */
function shareOf(order: Order, share: bigint, most: bigint): bigint {
  const minor = divideHalfAwayFromZero(asInvoiced(order).total * share, 10_000n)
  return minor === most + 1n ? smaller(minor, most) : minor
}

function netsOf({ lines }: Left, minor: bigint): Map<string, bigint> {
  const nets = allocate(
    minor,
    lines.map(({ subtotal }) => subtotal),
  )
  return new Map(lines.map(({ line }, index) => [line.id, nets[index] ?? 0n]))
}

const outside = (most: bigint, includesTax: boolean, currency: Currency): RuleProblem =>
  ruleProblem(includesTax ? 'refund_with_tax' : 'refund_before_tax', { most: amount(most, currency) })
