import type { AdminList } from '../../kernel/list.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Amount } from '../../kernel/money.ts'
import type { Account } from './rules/account.ts'
import type { StatementKind } from './rules/statement.ts'

/** One side of a movement of money. Debit is positive. */
export interface LedgerRow {
  readonly id: string
  /** The order, refund, chargeback or payout. */
  readonly subjectId: string
  /** Null for a payout. */
  readonly orderId: string | null
  readonly cause: string
  readonly account: Account
  readonly amount: Amount
  readonly createdAt: string
}

/**
 * A storefront's statement for a month or quarter, in one mode, by currency. Each line's `balance` is the sum of its
 * other amounts.
 */
export interface StatementPage {
  readonly period: string
  readonly isFinal: boolean
  readonly storefrontName: string
  readonly statements: readonly {
    readonly currency: string
    readonly opening: Amount
    readonly lines: readonly {
      readonly kind: StatementKind
      readonly count: number
      readonly buyers: Amount
      readonly taxes: Amount
      readonly fees: Amount
      readonly balance: Amount
    }[]
    readonly closing: Amount
  }[]
  /** The statement as CSV and as PDF; shown to readers who have the export permission. */
  readonly exportUrl?: string
  readonly pdfUrl?: string
}

/** A statement as text, for its file. */
export interface StatementDocument {
  readonly locale: Locale
  readonly madeAt: string
  readonly title: string
  readonly heading: string
  /** In test mode: the text across every page, and the note that the document is not a real one. */
  readonly test: { readonly band: string; readonly note: string } | null
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  readonly parties: readonly { readonly heading: string; readonly name: string; readonly lines: readonly string[] }[]
  /** One table per currency. The first cell of a row names the row; the others are figures. */
  readonly tables: readonly {
    readonly heading: string
    readonly columns: readonly string[]
    readonly rows: readonly { readonly cells: readonly string[]; readonly isSum: boolean }[]
  }[]
  readonly closing: readonly string[]
}

/** The balance owed to a storefront and mode, with the accounts behind it. */
export interface BalancePage {
  readonly owed: readonly Amount[]
  /** Months that have a statement, the newest first, such as `2026-12`. */
  readonly months: readonly string[]
  /** Debit is positive. */
  readonly accounts: readonly { readonly account: Account; readonly amount: Amount }[]
  readonly entries: AdminList<LedgerRow>
}
