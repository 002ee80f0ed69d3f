import { allocate, divideHalfAwayFromZero, smaller, sum } from '../../../kernel/money.ts'
import type { ChargebackStatus } from '../../chargebacks/rules/state.ts'
import type { RefundStatus } from '../../refunds/rules/state.ts'
import { reverseCharge, type TaxAmount, type TaxRate } from '../../tax/rules/index.ts'
import type { Order, OrderLine } from './order.ts'

/** A part of a line: the net amount and each tax, in minor units, never negative. */
export interface Part {
  readonly line: OrderLine
  readonly subtotal: bigint
  readonly taxes: readonly TaxAmount[]
}

/** The statuses of the refunds and chargebacks that reverse a part of an order. All other statuses mean refused, canceled, or decided for the merchant. */
export const reversingRefunds = ['pending', 'queued', 'processing', 'refunded'] as const satisfies RefundStatus[]
export const reversingChargebacks = [
  'pending',
  'evidence_submitted',
  'accepted',
  'lost',
] as const satisfies ChargebackStatus[]

export interface Reversed {
  readonly orderLineId: string
  readonly subtotal: bigint
  readonly taxes: readonly TaxAmount[]
}

/**
 * The amounts of an order that can still be reversed. `lines` excludes lines without a positive amount, such as the
 * credit of a proration, which are never reversed.
 */
export interface Left {
  readonly subtotal: bigint
  readonly taxes: readonly TaxAmount[]
  readonly lines: readonly Part[]
}

/** Replaces the paid tax of a corrected order with the reverse charge of its replacement invoice. Refunds and disputes are computed from the result. */
export function asInvoiced(order: Order): Order {
  if (order.replacedById === null) return order
  const taxes = [{ rate: reverseCharge, amount: 0n }]
  const lines = order.lines.map((line) => ({ ...line, total: line.subtotal, taxes }))
  return { ...order, total: order.subtotal, taxSummary: taxes, lines }
}

export function leftOf(order: Order, reversed: readonly Reversed[]): Left {
  const { subtotal, taxSummary, lines } = asInvoiced(order)
  return {
    subtotal: subtotal - sum(reversed.map((each) => each.subtotal)),
    taxes: without(taxSummary, reversed),
    lines: lines
      .filter(({ subtotal }) => subtotal > 0n)
      .map((line) => {
        const ofLine = reversed.filter(({ orderLineId }) => orderLineId === line.id)
        const subtotal = line.subtotal - sum(ofLine.map((each) => each.subtotal))
        // A negative line in the order can make rounding reverse one cent more than the tax of a line. The remaining
        // tax is then 0.
        const taxes = without(line.taxes, ofLine).map(({ rate, amount }) => ({
          rate,
          amount: amount < 0n ? 0n : amount,
        }))
        return { line, subtotal, taxes }
      }),
  }
}

export const totalOf = ({ subtotal, taxes }: Pick<Part, 'subtotal' | 'taxes'>): bigint =>
  subtotal + sum(taxes.map(({ amount }) => amount))

/**
 * Reverses the net amounts in `amounts`, which must not exceed the remaining amount of a line or of the order. Reverses
 * each tax in proportion to the line's tax, rounded half away from zero. If the amounts equal the remaining net of a
 * line or of the order, reverses all remaining tax of that line or order.
 */
export function reverseLines(left: Left, amounts: ReadonlyMap<string, bigint>): Part[] {
  const asked = left.lines.flatMap((of) => {
    const subtotal = amounts.get(of.line.id) ?? 0n
    return subtotal > 0n ? [{ of, subtotal }] : []
  })
  const isRest = asked.length > 0 && sum(asked.map(({ subtotal }) => subtotal)) === left.subtotal
  const shares = left.taxes.map(({ rate, amount: mostOfRate }) => {
    const inProportion = asked.map(({ of, subtotal }) => {
      const rest = taxOf(of.taxes, rate)
      if (subtotal === of.subtotal) return rest
      return smaller(divideHalfAwayFromZero(subtotal * taxOf(of.line.taxes, rate), of.line.subtotal), rest)
    })
    const tax = sum(inProportion)
    const taken = isRest ? mostOfRate : smaller(tax, mostOfRate)
    // If another line of the order is negative, `taken` can differ from `tax` by a few cents.
    return { rate, amounts: taken === tax ? inProportion : allocate(taken, inProportion) }
  })
  return asked.map(({ of: { line }, subtotal }, index) => ({ line, subtotal, taxes: taxesAt(line, shares, index) }))
}

export const reverseAll = (left: Left): Part[] => spread(left, left.subtotal, left.taxes)

/**
 * Reverses an amount that includes tax, at most the remaining amount of the order. The amount is split into net and taxes in the proportions of the
 * order, rounded half away from zero. Net and taxes are then divided among the lines. If the amount is at least the remaining amount of the order,
 * exactly the remaining net and taxes are reversed.
 */
export function reverseGross(paid: Order, left: Left, gross: bigint): Part[] {
  const order = asInvoiced(paid)
  const most = totalOf(left)
  if (gross >= most) return reverseAll(left)
  const mostTax = most - left.subtotal
  const inProportion = divideHalfAwayFromZero(gross * order.subtotal, order.total)
  const atLeast = gross > mostTax ? gross - mostTax : 0n
  const net = smaller(inProportion > atLeast ? inProportion : atLeast, left.subtotal)
  const taxes = allocateWithin(
    gross - net,
    order.taxSummary.map(({ amount }) => amount),
    left.taxes.map(({ amount }) => amount),
  )
  return spread(
    left,
    net,
    left.taxes.map(({ rate }, index) => ({ rate, amount: taxes[index] ?? 0n })),
  )
}

function spread(left: Left, subtotal: bigint, taxes: readonly TaxAmount[]): Part[] {
  const subtotals = allocate(
    subtotal,
    left.lines.map((of) => of.subtotal),
  )
  const shares = taxes.map(({ rate, amount }) => {
    const restOfLines = left.lines.map((of) => taxOf(of.taxes, rate))
    return { rate, amounts: allocate(amount, restOfLines) }
  })
  return left.lines
    .map(({ line }, index) => ({ line, subtotal: subtotals[index] ?? 0n, taxes: taxesAt(line, shares, index) }))
    .filter((part) => totalOf(part) > 0n)
}

export const taxSummaryOf = (order: Order, parts: readonly { taxes: readonly TaxAmount[] }[]): TaxAmount[] =>
  asInvoiced(order).taxSummary.map(({ rate }) => ({ rate, amount: sum(parts.map(({ taxes }) => taxOf(taxes, rate))) }))

/** Divides a total like `allocate`, but no share exceeds its cap. The excess is added to the first shares below their caps. */
function allocateWithin(total: bigint, weights: readonly bigint[], caps: readonly bigint[]): bigint[] {
  const shares = allocate(total, weights).map((share, index) => smaller(share, caps[index] ?? 0n))
  let rest = total - sum(shares)
  return shares.map((share, index) => {
    const more = smaller(rest, (caps[index] ?? 0n) - share)
    rest -= more
    return share + more
  })
}

const sameRate = (a: TaxRate, b: TaxRate): boolean => a.name === b.name && a.percentage === b.percentage

const taxOf = (taxes: readonly TaxAmount[], rate: TaxRate): bigint =>
  sum(taxes.filter((tax) => sameRate(tax.rate, rate)).map(({ amount }) => amount))

const without = (taxes: readonly TaxAmount[], reversed: readonly Reversed[]): TaxAmount[] =>
  taxes.map(({ rate, amount }) => ({ rate, amount: amount - sum(reversed.map((each) => taxOf(each.taxes, rate))) }))

const taxesAt = (
  line: OrderLine,
  shares: readonly { rate: TaxRate; amounts: readonly bigint[] }[],
  index: number,
): TaxAmount[] =>
  line.taxes.map(({ rate }) => ({
    rate,
    amount: shares.find((share) => sameRate(share.rate, rate))?.amounts[index] ?? 0n,
  }))
