import type { Amount } from '../../kernel/money.ts'
import type { ShownAccounts } from './accounts.ts'
import type { PayoutMove, PayoutStatus } from './rules/state.ts'

/** Where a storefront is paid, and the forms that change that. */
export interface PayoutAccountPage extends ShownAccounts {
  readonly coolingDays: number
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
  /** Who may not change it sees it. */
  readonly mayChange: boolean
}

/** A payout, and what staff can say of it: nothing for others. */
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
