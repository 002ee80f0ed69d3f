import type { Amount } from '../../kernel/money.ts'
import type { Range } from './rules/range.ts'

interface Tile<Value> {
  readonly value: Value
  /** In percent of the previous value; null without a previous value. */
  readonly change: number | null
  /** The value of each period, oldest first. */
  readonly course: readonly number[]
}

export interface Choice<Name extends string> {
  readonly name: Name
  readonly url: string
  readonly isCurrent: boolean
}

export interface HomeFigures {
  readonly ranges: readonly Choice<Range>[]
  readonly range: Range
  /** The currencies with sales or MRR in the range, the most used first. */
  readonly currencies: readonly Choice<string>[]
  readonly currency: string
  /** The last day with complete figures; null if the figures reach the current day. */
  readonly completeUntil: string | null
  readonly netRevenue: Tile<Amount>
  readonly mrr: Tile<Amount>
  readonly subscribers: Tile<number>
  /** From 0 to 1; null without subscribers at the start. */
  readonly churn: Tile<number | null>
  readonly periods: readonly {
    readonly from: string
    readonly to: string
    readonly netRevenue: Amount
    readonly mrr: Amount
    readonly new: Amount
    readonly expansion: Amount
    readonly reactivation: Amount
    readonly contraction: Amount
    readonly churn: Amount
  }[]
  readonly plans: readonly { readonly name: string; readonly url: string | null; readonly mrr: Amount }[]
  /** Sorted by net revenue in the range. `country` is empty if unknown. */
  readonly countries: readonly { readonly country: string; readonly netRevenue: Amount }[]
  readonly cancellations: readonly { readonly reason: string; readonly count: number }[]
}
