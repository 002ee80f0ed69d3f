import type { Amount } from '../../kernel/money.ts'
import type { Registration, ReportRow, Standing, TaxRate, Threshold } from './rules/index.ts'

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

/** The figures of a row: how many documents, and their amounts. */
export interface ReportFigures {
  readonly documents: number
  readonly net: Amount
  readonly tax: Amount
  readonly gross: Amount
}

/** The sales on behalf of a merchant in a period. */
export interface TaxReportPage {
  /** The name of the seller, who owes the tax. */
  readonly seller: string
  readonly period: string
  /** The first and the last day. */
  readonly from: string
  readonly to: string
  readonly isFinal: boolean
  /** The page to open again, without rows, while another report of the merchant is made; null if the rows are here. */
  readonly againUrl: string | null
  /** The reason why a custom period was not used. */
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
  /** The statements of the months of the period. */
  readonly statements: readonly { readonly month: string; readonly url: string }[]
  /** Null for readers without the permission to export. */
  readonly exports: {
    readonly report: string
    readonly documents: string
    readonly lists: readonly {
      readonly list: 'orders' | 'refunds' | 'chargebacks' | 'payouts' | 'balance'
      readonly url: string
    }[]
  } | null
}

/** Downloads of the seller's own returns, for the staff. */
export interface TaxReturnsPage {
  readonly quarter: string
  readonly quarters: readonly { readonly name: string; readonly url: string }[]
  readonly isFinal: boolean
  /** Why the last file could not be made. */
  readonly problem: string | null
  readonly files: readonly { readonly file: 'oss' | 'oss-portal' | 'sales-list' | 'totals'; readonly url: string }[]
}
