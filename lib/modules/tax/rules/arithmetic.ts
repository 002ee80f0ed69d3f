import { allocate, divideHalfAwayFromZero, formatDecimal, percent, roundToTotal, sum } from '../../../kernel/money.ts'
import type { TaxRate } from './rates.ts'

export type TaxBehavior = 'exclusive' | 'inclusive'

/** In minor units of one currency with two decimals. */
export interface TaxableLine {
  /** Without tax if exclusive, with tax if inclusive. Negative for a credit. */
  readonly unitPrice: bigint
  /** An integer, 1 to 999,999. */
  readonly quantity: number
}

export interface TaxAmount {
  readonly rate: TaxRate
  readonly amount: bigint
}

interface LineTax {
  /** The price of a unit before tax, with two to eight decimals. */
  readonly basePrice: string
  readonly subtotal: bigint
  readonly taxes: readonly TaxAmount[]
  readonly total: bigint
}

type TaxedLine<Line extends TaxableLine = TaxableLine> = Line & LineTax

export interface TaxedOrder<Line extends TaxableLine = TaxableLine> {
  readonly lines: readonly TaxedLine<Line>[]
  readonly subtotal: bigint
  readonly taxSummary: readonly TaxAmount[]
  readonly total: bigint
}

/**
 * The same rates apply to all lines. The tax is computed once per rate on the sum of the lines (EN 16931, BR-CO-17),
 * rounds half away from zero, and is spread over the lines, so that lines, taxes, and totals add up. All other fields
 * of a line are returned with it.
 */
export function computeTax<Line extends TaxableLine>(order: {
  behavior: TaxBehavior
  /** One rate, or two in Canada. Never empty: a sale without tax has a rate of 0. */
  rates: readonly TaxRate[]
  lines: readonly Line[]
}): TaxedOrder<Line> {
  const amounts = order.lines.map(({ unitPrice, quantity }) => unitPrice * BigInt(quantity))
  const taxes = spreadTaxes[order.behavior](amounts, partsOf(order.rates))

  const lines = order.lines.map((line, i): TaxedLine<Line> => {
    const amount = amounts[i] ?? 0n
    const lineTaxes = order.rates.map((rate, r) => ({ rate, amount: taxes[r]?.[i] ?? 0n }))
    const tax = sum(lineTaxes.map((each) => each.amount))
    const [subtotal, total] = order.behavior === 'exclusive' ? [amount, amount + tax] : [amount - tax, amount]
    return {
      ...line,
      basePrice: unitNet(subtotal, BigInt(line.quantity)),
      subtotal,
      taxes: amount === 0n ? lineTaxes.slice(0, 1) : lineTaxes, // a zero amount has one tax line
      total,
    }
  })

  return {
    lines,
    subtotal: sum(lines.map((line) => line.subtotal)),
    taxSummary: summarize(lines),
    total: sum(lines.map((line) => line.total)),
  }
}

/** Each percentage is `parts` of `whole`. */
interface Parts {
  readonly parts: readonly bigint[]
  readonly whole: bigint
}

function partsOf(rates: readonly TaxRate[]): Parts {
  const fractions = rates.map((rate) => percent(rate.percentage))
  let whole = 1n
  for (const { denominator } of fractions) if (denominator > whole) whole = denominator
  return { parts: fractions.map(({ numerator, denominator }) => numerator * (whole / denominator)), whole }
}

/** One list of line taxes per rate. */
type SpreadTaxes = (amounts: readonly bigint[], rates: Parts) => bigint[][]

const spreadTaxes: Record<TaxBehavior, SpreadTaxes> = {
  /** The tax on the order's net per rate, spread over the lines by largest remainder. */
  exclusive(nets, { parts, whole }) {
    return parts.map((part) => {
      const exact = nets.map((net) => net * part)
      return roundToTotal(divideHalfAwayFromZero(sum(exact), whole), exact, whole)
    })
  },

  /**
   * The order's tax is its gross less its net. It is spread over the lines, and then each line's tax over the rates,
   * always by the running sum. So with one or two rates no line gets a tax of the wrong sign. Spreading each rate
   * separately could take two cents of tax out of a gross of one cent.
   */
  inclusive(grosses, { parts, whole }) {
    const gross = sum(grosses)
    const allParts = sum(parts)
    const tax = gross - divideHalfAwayFromZero(gross * whole, whole + allParts)
    const exact = grosses.map((each) => each * allParts)
    const byLine = roundToTotal(tax, exact, whole + allParts)
    const byRate: bigint[][] = parts.map(() => [])
    let before = parts.map(() => 0n)
    let running = 0n
    for (const lineTax of byLine) {
      running += lineTax
      const after = allocate(running, parts)
      for (const [r, column] of byRate.entries()) column.push((after[r] ?? 0n) - (before[r] ?? 0n))
      before = after
    }
    return byRate
  },
}

/** The fewest decimals (two to eight) at which price times quantity rounds to the subtotal. */
function unitNet(subtotal: bigint, quantity: bigint): string {
  for (let decimals = 2; decimals <= 8; decimals++) {
    const scale = 10n ** BigInt(decimals - 2)
    const unit = divideHalfAwayFromZero(subtotal * scale, quantity)
    if (divideHalfAwayFromZero(unit * quantity, scale) === subtotal) return formatDecimal(unit, decimals)
  }
  throw new RangeError(`Eight decimals are not enough for ${quantity} units`)
}

function summarize(lines: readonly LineTax[]): TaxAmount[] {
  const amounts = new Map<TaxRate, bigint>()
  for (const { rate, amount } of lines.flatMap((line) => line.taxes)) {
    amounts.set(rate, (amounts.get(rate) ?? 0n) + amount)
  }
  return [...amounts].map(([rate, amount]) => ({ rate, amount }))
}
