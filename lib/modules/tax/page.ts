import type { Amount } from '../../kernel/money.ts'
import type { Registration, Standing, Threshold } from './rules/index.ts'

export interface ThresholdPageRow {
  readonly country: string
  /** EUR, without tax. */
  readonly sold: Amount
  readonly standing: Standing
  /** Null if no threshold is known. */
  readonly threshold: {
    readonly amount: Amount
    readonly counted: Amount
    /** Whole percent of the threshold. */
    readonly percent: number
    readonly counts: Threshold['counts']
    readonly within: Threshold['within']
    readonly since: string
    readonly law: string
  } | null
}

export interface ThresholdsPage {
  readonly year: string
  readonly isFinal: boolean
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
