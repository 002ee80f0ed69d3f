import type { AdminList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { Account } from '../ledger/rules/account.ts'
import type { ShownAccounts } from './accounts.ts'
import type { PayoutSchedule } from './rules/schedule.ts'
import type { PayoutMove, PayoutStatus } from './rules/state.ts'

export { nameOfSchedule, schedules } from './rules/schedule.ts'

export interface PayoutAccountPage extends ShownAccounts {
  readonly coolingDays: number
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
  readonly mayChange: boolean
}

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

/** Times are ISO 8601 in UTC. */
export interface PayoutFilesPage {
  readonly waiting: readonly {
    readonly id: string
    readonly storefront: string
    /** The page on which staff can cancel the payout. */
    readonly url: string
    readonly amount: Amount
    readonly createdAt: string
  }[]
  readonly count: number
  /** The number of payouts of suspended storefronts, up to 100. `count` excludes these payouts. */
  readonly suspended: number
  readonly files: readonly {
    readonly id: string
    readonly reference: string
    readonly count: number
    readonly total: Amount
    readonly createdAt: string
    readonly open: number
    readonly paid: number
    readonly failed: number
    readonly downloadUrl: string | null
  }[]
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
}

export interface BalanceParts {
  readonly currency: string
  readonly balance: Amount
  readonly available: Amount
  readonly held: Amount
  readonly reserve: Amount
  /** The part of the balance that open disputes can still take. */
  readonly disputed: Amount
}

export interface PayoutsPage {
  readonly parts: readonly BalanceParts[]
  /**
   * All money of a payment is held for `holdDays` days. A share of this money is in reserve until `reserveDays` days
   * after the payment. In test mode, `holdDays` and `reserveDays` are 0.
   */
  readonly holdDays: number
  readonly reserveDays: number
  /** `next` is null if no schedule is set. `estimate` is the part of the current balance that is released at the time `at`. */
  readonly next: { readonly at: string; readonly estimate: Amount } | null
  readonly schedule: PayoutSchedule | null
  readonly account: ShownAccounts
  readonly list: AdminList<PaidRow>
  /** `request` is null if the reader's role may not request payouts, or if the ledger has no balance of the storefront yet. */
  readonly request: {
    /** Whether the form can record a manual transfer, which only staff may do. */
    readonly mayBook: boolean
    readonly amount: string
    readonly reference: string
    readonly problems: Readonly<Record<string, string>>
    readonly formKey: string
  } | null
  readonly scheduleKey: string | null
}

export interface PayoutPage {
  readonly payout: PaidRow
  readonly finishedAt: string | null
  readonly iban: string | null
  /** The month of the statement that contains the payout, such as `2026-12`. */
  readonly month: string
  readonly entries: readonly {
    readonly id: string
    readonly cause: string
    readonly account: Account
    readonly amount: Amount
    readonly createdAt: string
  }[]
}
