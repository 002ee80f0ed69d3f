import type { ShownAccounts } from './accounts.ts'

/** Where a storefront is paid, and the forms that change that. */
export interface PayoutAccountPage extends ShownAccounts {
  readonly coolingDays: number
  readonly typed: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
  readonly formKey: string
  /** Who may not change it sees it. */
  readonly mayChange: boolean
}
