import { allocate, smaller, sum } from '../../kernel/money.ts'
import { type Order, share, type Turn } from './world.ts'

export interface Part {
  readonly line: number
  readonly subtotal: bigint
  readonly taxes: readonly bigint[]
}

export interface Refund {
  readonly order: Order
  readonly parts: readonly Part[]
  status: 'pending' | 'queued' | 'processing' | 'refunded' | 'failed' | 'canceled'
  readonly isFull: boolean
  /**
   * The due time of the next status: the end of the cancel window, or the decision of the bank. Null while the
   * refund is queued and after the outcome.
   */
  turn: Turn | null
  bankRefuses: boolean
  feeReturned: bigint
  creditNote: string | null
}

export const chargebackStatuses = [
  'pending',
  'requires_amount_review',
  'accepted',
  'rejected',
  'evidence_submitted',
  'won',
  'lost',
] as const

export interface Chargeback {
  readonly order: Order
  parts: readonly Part[]
  readonly amount: bigint
  readonly reason: string
  readonly receivedAt: Date
  status: (typeof chargebackStatuses)[number]
  creditNote: string | null
}

type Reversal = Pick<Refund | Chargeback, 'parts'>
export const netOf = ({ parts }: Reversal): bigint => sum(parts.map(({ subtotal }) => subtotal))
export const taxOf = ({ parts }: Reversal): bigint => sum(parts.flatMap(({ taxes }) => taxes))
export const totalOf = (reversal: Reversal): bigint => netOf(reversal) + taxOf(reversal)

export const isOpen = ({ status }: Refund): boolean =>
  status === 'pending' || status === 'queued' || status === 'processing'
/** The provider withdraws disputed money when the dispute arrives, and returns it if the dispute is won. */
export const isGone = ({ status }: Chargeback): boolean =>
  status === 'pending' || status === 'evidence_submitted' || status === 'accepted' || status === 'lost'

const nets = (reversals: readonly Reversal[]): bigint => sum(reversals.map(netOf))

export const reversedOf = ({ refunds, chargebacks }: Order): bigint =>
  nets(refunds.filter(({ status }) => status === 'refunded')) + nets(chargebacks.filter(isGone))

export const refundableOf = (order: Order): bigint =>
  order.status === 'paid' ? order.subtotal - reversedOf(order) - nets(order.refunds.filter(isOpen)) : 0n

interface Left {
  readonly subtotal: bigint
  readonly taxes: readonly bigint[]
}

export const partsOf = ({ refunds, chargebacks }: Order): readonly Part[] =>
  [
    ...refunds.filter((refund) => isOpen(refund) || refund.status === 'refunded'),
    ...chargebacks.filter(isGone),
  ].flatMap(({ parts }) => parts)

const without = ({ subtotal, taxes }: Left, parts: readonly Left[]): Left => ({
  subtotal: subtotal - nets([{ parts: parts as Part[] }]),
  taxes: taxes.map((tax, rate) => tax - sum(parts.map((part) => part.taxes[rate] ?? 0n))),
})

const leftOfOrder = (order: Order): Left => without(order, partsOf(order))

/**
 * The remaining amount of a line. Negative lines cannot be refunded. In an order with a negative line, the reversals of
 * a line can exceed its amount by a cent.
 */
export function leftOfLine(order: Order, number: number): Left {
  const line = order.lines[number]
  if (!line || line.subtotal <= 0n) return { subtotal: 0n, taxes: order.rates.map(() => 0n) }
  const { subtotal, taxes } = without(
    line,
    partsOf(order).filter(({ line: each }) => each === number),
  )
  return { subtotal, taxes: taxes.map((tax) => (tax < 0n ? 0n : tax)) }
}

/**
 * Reverses net amounts of lines. Each tax is proportional to the tax of the line, rounded half away from zero per rate,
 * and at most the remaining tax. If the amounts equal the remaining net of a line or of the order, all remaining tax is
 * reversed.
 */
export function reverseLines(order: Order, amounts: ReadonlyMap<number, bigint>): Part[] {
  const left = leftOfOrder(order)
  const isAll = sum(amounts.values()) === left.subtotal
  const parts = [...amounts].map(([number, amount]) => {
    const [line, ofLine] = [order.lines[number], leftOfLine(order, number)]
    const taxes = ofLine.taxes.map((most, rate) =>
      amount === ofLine.subtotal ? most : smaller(most, share(line?.taxes[rate] ?? 0n, amount, line?.subtotal ?? 1n)),
    )
    return { line: number, subtotal: amount, taxes }
  })
  const byRate = left.taxes.map((most, rate) => {
    const taken = parts.map(({ taxes }) => taxes[rate] ?? 0n)
    const target = isAll ? most : smaller(most, sum(taken))
    return target === sum(taken) ? taken : allocate(target, taken)
  })
  return parts.map((part, index) => ({ ...part, taxes: byRate.map((ofRate) => ofRate[index] ?? 0n) }))
}

export function reverseAll(order: Order): Part[] {
  const { subtotal, taxes } = leftOfOrder(order)
  return spread(order, subtotal, taxes)
}

/**
 * Reverses an amount that includes tax. The amount is split into net and taxes in the proportions of the order. If the
 * amount is at least the remaining amount of the order, exactly the remaining net and taxes are reversed.
 */
export function reverseGross(order: Order, gross: bigint): Part[] {
  const left = leftOfOrder(order)
  const leftTax = sum(left.taxes)
  if (gross >= left.subtotal + leftTax) return reverseAll(order)
  const between = (least: bigint, value: bigint, most: bigint) => (value < least ? least : smaller(value, most))
  const net = between(gross - leftTax, share(gross, order.subtotal, order.total), left.subtotal)
  return spread(order, net, capped(gross - net, order.taxes, left.taxes))
}

function spread(order: Order, net: bigint, taxes: readonly bigint[]): Part[] {
  const lines = order.lines.flatMap((line, number) =>
    line.subtotal > 0n ? [{ number, ...leftOfLine(order, number) }] : [],
  )
  const nets = allocate(
    net,
    lines.map(({ subtotal }) => subtotal),
  )
  const byRate = taxes.map((tax, rate) =>
    allocate(
      tax,
      lines.map((line) => line.taxes[rate] ?? 0n),
    ),
  )
  return lines
    .map(({ number }, n) => ({ line: number, subtotal: nets[n] ?? 0n, taxes: byRate.map((each) => each[n] ?? 0n) }))
    .filter((part) => totalOf({ parts: [part] }) > 0n)
}

function capped(total: bigint, weights: readonly bigint[], most: readonly bigint[]): bigint[] {
  const shares = allocate(total, weights).map((each, index) => smaller(each, most[index] ?? 0n))
  let missing = total - sum(shares)
  return shares.map((each, index) => {
    const more = smaller(missing, (most[index] ?? 0n) - each)
    missing -= more
    return each + more
  })
}
