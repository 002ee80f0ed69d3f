import type { Amount } from '../../kernel/money.ts'
import type { Registration, Standing, Threshold } from './rules/index.ts'

/** A country, or the EU as a whole (`EU`), with the year's sales to its consumers. */
export interface ThresholdPageRow {
  readonly country: string
  /** EUR, without tax. */
  readonly sold: Amount
  readonly standing: Standing
  /** Null if no threshold is known. */
  readonly threshold: {
    readonly amount: Amount
    /** The sales that count towards the threshold, in EUR. */
    readonly counted: Amount
    /** Whole percent of the threshold. */
    readonly percent: number
    readonly counts: Threshold['counts']
    readonly within: Threshold['within']
    readonly since: string
    readonly law: string
  } | null
}

/** The live sales of a year compared with the thresholds of other countries. */
export interface ThresholdsPage {
  readonly year: string
  /** Whether the year has ended. */
  readonly isFinal: boolean
  /** The years with a page, newest first. */
  readonly years: readonly { readonly name: string; readonly url: string }[]
  /** Rows at or near their threshold come first. */
  readonly rows: readonly ThresholdPageRow[]
}

/** The registrations of the seller, and the forms that add and end one. */
export interface RegistrationsPage {
  readonly registrations: readonly (Registration & { readonly hasEnded: boolean })[]
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}
