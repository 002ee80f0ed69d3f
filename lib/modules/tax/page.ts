import type { Amount } from '../../kernel/money.ts'
import type { Registration, ReportRow, Standing, TaxRate, Threshold } from './rules/index.ts'

export interface ThresholdPageRow {
  readonly country: string
  /** `sold` is in EUR, without tax. */
  readonly sold: Amount
  readonly standing: Standing
  readonly threshold: {
    readonly amount: Amount
    readonly counted: Amount
    /** `counted` as a whole percentage of `amount`. */
    readonly percent: number
    readonly counts: Threshold['counts']
    readonly within: Threshold['within']
    readonly since: string
    readonly law: Threshold['law']
  } | null
}

export interface ThresholdsPage {
  readonly year: string
  readonly isFinal: boolean
  readonly years: readonly { readonly name: string; readonly url: string }[]
  readonly rows: readonly ThresholdPageRow[]
}

export interface RegistrationsPage {
  readonly registrations: readonly (Registration & { readonly hasEnded: boolean })[]
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

export interface ReportFigures {
  readonly documents: number
  readonly net: Amount
  readonly tax: Amount
  readonly gross: Amount
}

export interface TaxReportPage {
  readonly seller: string
  readonly period: string
  readonly from: string
  readonly to: string
  readonly isFinal: boolean
  /**
   * `againUrl` reloads the page if the rows are missing because another tax report of this storefront is being
   * computed; otherwise null.
   */
  readonly againUrl: string | null
  readonly problem: 'range' | null
  readonly quarters: readonly { readonly name: string; readonly url: string }[]
  readonly months: readonly { readonly name: string; readonly url: string }[]
  readonly rows: readonly {
    readonly kind: ReportRow['kind']
    readonly country: string
    readonly rates: readonly TaxRate[]
    readonly currency: string
    readonly sales: ReportFigures
    readonly credited: ReportFigures
    readonly total: ReportFigures
  }[]
  readonly totals: readonly {
    readonly currency: string
    readonly total: ReportFigures
    readonly ledgerTax: Amount
    readonly isEqual: boolean
  }[]
  readonly statements: readonly { readonly month: string; readonly url: string }[]
  readonly exports: {
    readonly report: string
    readonly documents: string
    readonly lists: readonly {
      readonly list: 'orders' | 'refunds' | 'chargebacks' | 'payouts' | 'balance'
      readonly url: string
    }[]
  } | null
}

export interface TaxReturnsPage {
  readonly quarter: string
  readonly quarters: readonly { readonly name: string; readonly url: string }[]
  readonly isFinal: boolean
  readonly problem: string | null
  readonly files: readonly { readonly file: 'oss' | 'oss-portal' | 'sales-list' | 'totals'; readonly url: string }[]
}
