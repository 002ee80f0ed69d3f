import type { AdminList } from '../../kernel/list.ts'
import type { Locale } from '../../kernel/locale.ts'
import type { Amount } from '../../kernel/money.ts'
import type { Account } from './rules/account.ts'
import type { StatementKind } from './rules/statement.ts'

/** A ledger entry. A debit is positive. */
export interface LedgerRow {
  readonly id: string
  readonly subjectId: string
  readonly orderId: string | null
  /** `invoiceNumber` is the number of the order; null for a payout. */
  readonly invoiceNumber: string | null
  readonly cause: string
  readonly account: Account
  readonly amount: Amount
  readonly createdAt: string
}

/**
 * A statement of a month, quarter, or year in one mode. `balance` is the sum of the other amounts of its line, except for payouts, whose other amounts are 0.
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
  /** The URLs of the statement as CSV and PDF; absent if the reader's role does not permit exports. */
  readonly exportUrl?: string
  readonly pdfUrl?: string
}

export interface StatementDocument {
  readonly locale: Locale
  readonly madeAt: string
  readonly title: string
  readonly heading: string
  /** `band` is the text across every page. `note` says that the document is not real. Set only in test mode. */
  readonly test: { readonly band: string; readonly note: string } | null
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  readonly parties: readonly { readonly heading: string; readonly name: string; readonly lines: readonly string[] }[]
  /** One table per currency. The first cell of a row is the row's name, and the other cells are figures. */
  readonly tables: readonly {
    readonly heading: string
    readonly columns: readonly string[]
    readonly rows: readonly { readonly cells: readonly string[]; readonly isSum: boolean }[]
  }[]
  readonly closing: readonly string[]
}

export interface BalancePage {
  readonly owed: readonly Amount[]
  readonly months: readonly string[]
  readonly accounts: readonly { readonly account: Account; readonly amount: Amount }[]
  readonly entries: AdminList<LedgerRow>
}
