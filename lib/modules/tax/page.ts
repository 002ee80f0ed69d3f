import type { Amount } from '../../kernel/money.ts'
import type { Standing, Threshold } from './rules/index.ts'

/** A country, or the member states of the EU together (`EU`), with what its consumers bought in the year. */
export interface ThresholdPageRow {
  readonly country: string
  /** EUR, without tax. */
  readonly sold: Amount
  readonly standing: Standing
  /** Null where none is known. */
  readonly threshold: {
    readonly amount: Amount
    /** What counts towards it, in EUR. */
    readonly counted: Amount
    /** Whole percent of the threshold. */
    readonly percent: number
    readonly counts: Threshold['counts']
    readonly within: Threshold['within']
    readonly since: string
    readonly law: string
  } | null
}

/** The sales of live mode in a year beside the thresholds of other countries. */
export interface ThresholdsPage {
  readonly year: string
  /** Whether the year is over. */
  readonly isFinal: boolean
  /** The years that can be looked at, the newest first. */
  readonly years: readonly { readonly name: string; readonly url: string }[]
  /** What is near or reached comes first. */
  readonly rows: readonly ThresholdPageRow[]
}
