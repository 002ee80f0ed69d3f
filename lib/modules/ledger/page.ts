import type { Amount } from '../../kernel/money.ts'
import type { AdminList } from '../accounts/page.ts'
import type { Account } from './rules/account.ts'

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

/** What a storefront and mode is owed, and how that came about. */
export interface BalancePage {
  readonly owed: readonly Amount[]
  /** Debit is positive. */
  readonly accounts: readonly { readonly account: Account; readonly amount: Amount }[]
  readonly entries: AdminList<LedgerRow>
  /** The form that books a payout; null for who may not, and where nothing was ever owed. */
  readonly payout: {
    readonly amount: string
    readonly reference: string
    readonly problems: Readonly<Record<string, string>>
    readonly formKey: string
  } | null
}
