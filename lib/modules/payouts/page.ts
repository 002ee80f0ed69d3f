import type { Amount } from '../../kernel/money.ts'
import type { ShownAccounts } from './accounts.ts'
import type { PayoutMove, PayoutStatus } from './rules/state.ts'

/** The bank account of a storefront, and the forms that change it. */
export interface PayoutAccountPage extends ShownAccounts {
  readonly coolingDays: number
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
  /** Readers without this permission see the masked account only. */
  readonly mayChange: boolean
}

/** A payout, with the moves that staff can make. Other readers have no moves. */
export interface PaidRow {
  readonly id: string
  readonly status: PayoutStatus
  readonly amount: Amount
  readonly reference: string | null
  readonly byHand: boolean
  readonly createdAt: string
  readonly moves: readonly PayoutMove[]
  readonly formKey: string
}

/** The live payouts that wait for a bank file, and the newest files. Times are ISO 8601 in UTC. */
export interface PayoutFilesPage {
  readonly waiting: readonly {
    readonly id: string
    readonly storefront: string
    /** The page on which the payout can be canceled. */
    readonly url: string
    readonly amount: Amount
    readonly createdAt: string
  }[]
  /** How many wait, also beyond the page, at most 100. */
  readonly count: number
  readonly files: readonly {
    readonly id: string
    /** The message id in the file. */
    readonly reference: string
    readonly count: number
    readonly total: Amount
    readonly createdAt: string
    /** How many of its payouts the bank has neither made nor returned. */
    readonly open: number
    /** Null if another installation has the file. */
    readonly downloadUrl: string | null
  }[]
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}
