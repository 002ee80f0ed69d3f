import type { OrderLine } from '../../orders/rules/order.ts'

/** The date of supply that a document must state (Directive 2006/112/EC, art. 226 (7)). */
export interface DateOfSupply {
  /** The time of supply of one-off products; null if all lines are services. */
  readonly at: Date | null
  /** `period` lasts from the start of the first service to the end of the last service, exclusive; null if the invoice has no services. */
  readonly period: Period | null
}

interface Period {
  readonly from: Date
  readonly until: Date
}

export function dateOfSupply(lines: readonly Pick<OrderLine, 'onInvoice'>[], soldAt: Date): DateOfSupply {
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

/** The end of a period is exclusive, so a period that ends at midnight has the previous day as its last day. */
export const lastSecondOf = ({ until }: Period): Date => new Date(until.getTime() - 1000)
