import { allocate, divideHalfAwayFromZero, formatDecimal, percent, roundToTotal, sum } from '../../../kernel/money.ts'
import type { TaxRate } from './rates.ts'

export type TaxBehavior = 'exclusive' | 'inclusive'

/** All amounts in minor units of one currency with two decimals. */
export interface TaxableLine {
  /** Without tax when exclusive, with tax when inclusive. Negative for a credit. */
  readonly unitPrice: bigint
  /** An integer, 1 to 999,999. */
  readonly quantity: number
}

export interface TaxAmount {
  readonly rate: TaxRate
  readonly amount: bigint
}

interface LineTax {
  /** Per unit before tax, a decimal with two to eight decimals. */
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
 * The tax of an order with the same rates on all lines. It is computed once per rate on the sum of the lines (EN
 * 16931, BR-CO-17), half away from zero, and then spread over them: lines, taxes and totals add up in every direction.
 * All other fields of a line (a description, an id) are returned with it.
 */
export function computeTax<Line extends TaxableLine>(order: {
  behavior: TaxBehavior
  /** One, or two in Canada; never none: a sale without tax has a rate of 0. */
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

/** Percentages on one scale: each is `parts` of `whole`. */
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

/** The taxes of the amounts, first by rate and then by line. */
type SpreadTaxes = (amounts: readonly bigint[], rates: Parts) => bigint[][]

const spreadTaxes: Record<TaxBehavior, SpreadTaxes> = {
  /** The tax is added: each rate of the order's net, spread by largest remainder on the line's exact tax. */
  exclusive(nets, { parts, whole }) {
    return parts.map((part) => {
      const exact = nets.map((net) => net * part)
      return roundToTotal(divideHalfAwayFromZero(sum(exact), whole), exact, whole)
    })
  },

  /**
   * The tax is included: it is the order's gross less its net. It is spread over the lines, then each line's over the
   * rates, always by the running sum: so each rate ends at its share of the order's tax, and with one rate or two no
   * line gets a tax of the wrong sign. Spreading each rate on its own could take two cents of tax out of a gross of
   * one.
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

/**
 * The net of one unit: the fewest decimals, two to eight, at which the net times the quantity rounds to the subtotal.
 */
function unitNet(subtotal: bigint, quantity: bigint): string {
  for (let decimals = 2; decimals <= 8; decimals++) {
    const scale = 10n ** BigInt(decimals - 2)
    const unit = divideHalfAwayFromZero(subtotal * scale, quantity)
    if (divideHalfAwayFromZero(unit * quantity, scale) === subtotal) return formatDecimal(unit, decimals)
  }
  throw new RangeError(`Eight decimals are not enough for ${quantity} units`)
}

/** The rates of the lines, in their order, each with its sum. */
function summarize(lines: readonly LineTax[]): TaxAmount[] {
  const amounts = new Map<TaxRate, bigint>()
  for (const { rate, amount } of lines.flatMap((line) => line.taxes)) {
    amounts.set(rate, (amounts.get(rate) ?? 0n) + amount)
  }
  return [...amounts].map(([rate, amount]) => ({ rate, amount }))
}
