import type { AdminList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { Account } from '../ledger/rules/account.ts'
import type { ShownAccounts } from './accounts.ts'
import type { PayoutSchedule } from './rules/schedule.ts'
import type { PayoutMove, PayoutStatus } from './rules/state.ts'

export { nameOfSchedule, schedules } from './rules/schedule.ts'

/** The bank account of a storefront, and the forms that change it. */
export interface PayoutAccountPage extends ShownAccounts {
  readonly coolingDays: number
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
  /** Readers without this permission see the masked account only. */
  readonly mayChange: boolean
}

/** A payout, with the moves that the reader can make. */
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
  /** The number of all waiting payouts, including payouts that the page does not show, at most 100. */
  readonly count: number
  /** How many further ones wait because their storefront is suspended, at most 100. */
  readonly suspended: number
  readonly files: readonly {
    readonly id: string
    /** The message id in the file. */
    readonly reference: string
    readonly count: number
    readonly total: Amount
    readonly createdAt: string
    /** The number of its payouts that are neither paid nor returned. */
    readonly open: number
    /** Null if another installation has the file. */
    readonly downloadUrl: string | null
  }[]
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

/** The parts of a balance in one currency. */
export interface BalanceParts {
  readonly currency: string
  readonly balance: Amount
  /** The part that can be paid out now. */
  readonly available: Amount
  readonly held: Amount
  readonly reserve: Amount
  /** The part that open disputes can still take. */
  readonly disputed: Amount
}

/** The payouts of a storefront and mode. */
export interface PayoutsPage {
  readonly parts: readonly BalanceParts[]
  /** Days after a payment during which the money is held (`holdDays`), or a share is in reserve (`reserveDays`). 0 in test mode. */
  readonly holdDays: number
  readonly reserveDays: number
  /** Null without a schedule. `estimate`: the part of the current balance that is released by that time. */
  readonly next: { readonly at: string; readonly estimate: Amount } | null
  readonly schedule: PayoutSchedule | null
  readonly account: ShownAccounts
  readonly list: AdminList<PaidRow>
  /** The form that requests a payout. Null without the permission, or if the balance never had an amount. */
  readonly request: {
    /** Staff also book manual transfers, with a currency and a reference. */
    readonly mayBook: boolean
    readonly amount: string
    readonly reference: string
    readonly problems: Readonly<Record<string, string>>
    readonly formKey: string
  } | null
  /** The key of the form that sets the schedule; null without the permission. */
  readonly scheduleKey: string | null
}

/** One payout, with its entries in the ledger. */
export interface PayoutPage {
  readonly payout: PaidRow
  readonly finishedAt: string | null
  /** The masked account that the bank file pays to; null before the export, and for a manual payout. */
  readonly iban: string | null
  /** The month of its statement, such as `2026-12`. */
  readonly month: string
  /** Debit is positive. */
  readonly entries: readonly {
    readonly id: string
    readonly cause: string
    readonly account: Account
    readonly amount: Amount
    readonly createdAt: string
  }[]
}
