import type { OrderLine } from '../../orders/rules/order.ts'

/** The date of supply that a document states (Directive 2006/112/EC, art. 226 (7)). */
export interface Supply {
  /** For one-off products. Null if all lines are services for a period. */
  readonly at: Date | null
  /** From the first service's start to the last one's end, exclusive. Null without services. */
  readonly period: Period | null
}

interface Period {
  readonly from: Date
  readonly until: Date
}

/** A credit note and a replacing invoice have the supply of their sale. */
export function supplyOf(lines: readonly Pick<OrderLine, 'onInvoice'>[], soldAt: Date): Supply {
  const periods = lines.flatMap(({ onInvoice }) => onInvoice?.service ?? [])
  const [first] = periods
  return {
    at: lines.length > 0 && periods.length === lines.length ? null : soldAt,
    period: first
      ? {
          from: new Date(Math.min(...periods.map(({ from }) => from.getTime()))),
          until: new Date(Math.max(...periods.map(({ until }) => until.getTime()))),
        }
      : null,
  }
}

/** The end of a period is exclusive: a month from midnight ends on the last day of the month. */
export const lastSecondOf = ({ until }: Period): Date => new Date(until.getTime() - 1000)
