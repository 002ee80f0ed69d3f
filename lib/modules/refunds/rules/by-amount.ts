import { allocate, type Currency, divideHalfAwayFromZero, formatMoney, smaller, sum } from '../../../kernel/money.ts'
import { invalid } from '../../../kernel/refusal.ts'
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

/** In minor units, or in hundredths of a percent for a share. */
export interface RefundSum {
  readonly of: 'amount' | 'share'
  readonly value: bigint
  /** Whether the amount includes tax. A share is always a share of the total with tax. */
  readonly includesTax: boolean
}

export const everything = (left: Left): RefundSum => ({ of: 'amount', value: totalOf(left), includesTax: true })

/**
 * Divides the amount among the lines in proportion to what is left of each, by largest remainder. An amount with tax is
 * returned to the cent. Refuses `validation_failed` on `orderId`, and on `amount` unless it is between 0.01 and what is
 * left.
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
  if (sum(parts.map(({ subtotal }) => subtotal)) === 0n)
    throw invalid('amount', 'Is too small: it would return tax only.')
  return parts
}

/** A rounded share can exceed what is left by one cent. */
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

const outside = (most: bigint, includesTax: boolean, currency: Currency): string =>
  `Must be between 0.01 and what is left to refund, ${includesTax ? 'with' : 'before'} tax: ` +
  `${formatMoney({ minor: most, currency })} ${currency}.`
