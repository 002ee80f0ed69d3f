import { allocate, divideHalfAwayFromZero, formatDecimal, percent, roundToTotal, sum } from '../../../kernel/money.ts'
import type { TaxRate } from './rates.ts'

export type TaxBehavior = 'exclusive' | 'inclusive'

/** Amounts are in minor units of one currency with two decimals. */
export interface TaxableLine {
  /** `unitPrice` is without tax (exclusive) or with tax (inclusive). It is negative for a credit. */
  readonly unitPrice: bigint
  /** `quantity` is an integer from 1 to 999,999. */
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
 * Computes the tax per rate on the sum of the lines (EN 16931, BR-CO-17), rounded half away from zero. Divides this tax among the lines, so that lines, taxes,
 * and totals sum exactly. Each returned line keeps the fields of its input line.
 */
export function computeTax<Line extends TaxableLine>(order: {
  behavior: TaxBehavior
  /** `rates` has one rate, or two in Canada. A sale without tax has a rate of 0. */
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
      taxes: amount === 0n ? lineTaxes.slice(0, 1) : lineTaxes, // A zero amount has one tax line.
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

type SpreadTaxes = (amounts: readonly bigint[], rates: Parts) => bigint[][]

const spreadTaxes: Record<TaxBehavior, SpreadTaxes> = {
  /** Divides the tax of each rate among the lines by the largest remainder method. */
  exclusive(nets, { parts, whole }) {
    return parts.map((part) => {
      const exact = nets.map((net) => net * part)
      return roundToTotal(divideHalfAwayFromZero(sum(exact), whole), exact, whole)
    })
  },

  /**
   * The total tax is the gross amount less the net amount. It is divided among the lines, and then the tax of each line is divided among the rates. Both
   * divisions round running sums, so that no tax has the wrong sign. If each rate were divided separately, a gross amount of one cent could contain two cents
   * of tax.
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

function unitNet(subtotal: bigint, quantity: bigint): string {
  for (let decimals = 2; decimals <= 8; decimals++) {
    const scale = 10n ** BigInt(decimals - 2)
    const unit = divideHalfAwayFromZero(subtotal * scale, quantity)
    if (divideHalfAwayFromZero(unit * quantity, scale) === subtotal) return formatDecimal(unit, decimals)
  }
  throw new RangeError(`The unit price of ${quantity} units needs more than eight decimals`)
}

function summarize(lines: readonly LineTax[]): TaxAmount[] {
  const amounts = new Map<TaxRate, bigint>()
  for (const { rate, amount } of lines.flatMap((line) => line.taxes)) {
    amounts.set(rate, (amounts.get(rate) ?? 0n) + amount)
  }
  return [...amounts].map(([rate, amount]) => ({ rate, amount }))
}
