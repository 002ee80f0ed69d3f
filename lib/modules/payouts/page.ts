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
