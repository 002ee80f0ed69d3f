import { type Currency, sum } from '../../../kernel/money.ts'
import type { StatementKind } from '../../ledger/rules/statement.ts'
import { type Movements, moreSubscribers, netOf, noMovements } from './movements.ts'

/** The figures of a day in one currency. Amounts are in minor units, without tax. */
export interface FigureDay extends Omit<Movements, 'plans'> {
  readonly day: string
  readonly currency: Currency
  readonly sales: bigint
  /** The amount refunded on this day, as a negative amount. */
  readonly refunds: bigint
  /**
   * The disputed and returned amounts of this day. New disputes and returned direct debits are negative. Won disputes
   * and returned debits that were paid again are positive.
   */
  readonly disputes: bigint
  readonly orders: number
  readonly openingMrr: bigint
  readonly closingMrr: bigint
  readonly openingSubscribers: number
  readonly closingSubscribers: number
  readonly plans: ReadonlyMap<string, bigint>
  /** Net revenue by the country of the buyer. An unknown country is an empty string. */
  readonly countries: ReadonlyMap<string, bigint>
  readonly cancellations: ReadonlyMap<string, number>
}

export const netRevenueOf = ({ sales, refunds, disputes }: Pick<FigureDay, 'sales' | 'refunds' | 'disputes'>): bigint =>
  sales + refunds + disputes

/**
 * The net revenue of a day by kind and country, in minor units. As in a statement, it is the sum of the ledger entries
 * for payments, refunds, disputes, and taxes.
 */
export interface PostedNet {
  readonly day: string
  readonly currency: Currency
  readonly kind: Exclude<StatementKind, 'return' | 'payout'>
  readonly country: string
  readonly net: bigint
  readonly orders: number
}

export interface EndedCount {
  readonly day: string
  readonly currency: Currency
  readonly reason: string
  readonly count: number
}

interface DayInput {
  readonly day: string
  readonly currency: Currency
  readonly before: Pick<FigureDay, 'closingMrr' | 'closingSubscribers' | 'plans'> | null
  readonly moved: Movements | null
  readonly posted: readonly PostedNet[]
  readonly ended: readonly EndedCount[]
}

export function figureDay({ day, currency, before, moved, posted, ended }: DayInput): FigureDay {
  const { plans: changes, ...movements } = moved ?? noMovements
  const openingMrr = before?.closingMrr ?? 0n
  const openingSubscribers = before?.closingSubscribers ?? 0
  const netOfKind = (kind: PostedNet['kind']) => sum(posted.filter((each) => each.kind === kind).map(({ net }) => net))
  return {
    day,
    currency,
    sales: netOfKind('order'),
    refunds: netOfKind('refund'),
    disputes: netOfKind('chargeback'),
    orders: posted.reduce((count, { orders }) => count + orders, 0),
    openingMrr,
    ...movements,
    closingMrr: openingMrr + netOf(moved ?? noMovements),
    openingSubscribers,
    closingSubscribers: openingSubscribers + moreSubscribers(moved ?? noMovements),
    plans: added(before?.plans ?? new Map(), changes),
    countries: added(
      new Map(),
      posted.map(({ country, net }) => [country, net] as const),
    ),
    cancellations: new Map(ended.map(({ reason, count }) => [reason, count])),
  }
}

function added(
  amounts: ReadonlyMap<string, bigint>,
  more: Iterable<readonly [string, bigint]>,
): ReadonlyMap<string, bigint> {
  const sums = new Map(amounts)
  for (const [key, amount] of more) sums.set(key, (sums.get(key) ?? 0n) + amount)
  return new Map([...sums].filter(([, amount]) => amount !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)))
}
