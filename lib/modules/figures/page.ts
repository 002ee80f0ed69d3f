import type { Amount } from '../../kernel/money.ts'
import type { Range } from './rules/range.ts'

interface Tile<Value> {
  readonly value: Value
  readonly change: number | null
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
  /** The currencies with sales or MRR in the range, most used first. */
  readonly currencies: readonly Choice<string>[]
  readonly currency: string
  /** The last day with complete figures. Null if the figures include the current day. */
  readonly completeUntil: string | null
  readonly netRevenue: Tile<Amount>
  readonly mrr: Tile<Amount>
  readonly subscribers: Tile<number>
  /** A fraction from 0 to 1. Null if no subscriber existed at the start of the range. */
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
  /** `countries` is sorted by net revenue in the range. An unknown `country` is an empty string. */
  readonly countries: readonly { readonly country: string; readonly netRevenue: Amount }[]
  readonly cancellations: readonly { readonly reason: string; readonly count: number }[]
}
