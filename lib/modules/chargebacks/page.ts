import type { z } from 'zod'
import type { FilteredList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { Named } from '../../kernel/named.ts'
import type { ChargebackShape } from './contract.ts'
import type { Answer, ShownEvidence } from './evidence-store.ts'
import type { OpenStatus } from './rules/state.ts'

export { evidenceKinds, evidenceLimits } from './rules/evidence.ts'
export { explainedReason, reasonText } from './rules/reason.ts'

export type AdminChargeback = z.infer<typeof ChargebackShape>

export type ListedDispute = AdminChargeback & {
  /** The buyer's company, name, or email address; null after the buyer's data is erased. */
  readonly customer: string | null
  /** The deadline for evidence; null if the provider states none. */
  readonly respondBy: string | null
}

export type ChargebacksPage = FilteredList<ListedDispute, AdminChargeback['status']> & {
  readonly endSubscriptions: { readonly isOn: boolean; readonly mayChange: boolean; readonly formKey: string }
}

export interface ChargebackPage {
  readonly chargeback: AdminChargeback
  readonly invoiceNumber: string | null
  readonly creditNote: Named | null
  readonly customer: Named | null
  /** True if the disputed amount exceeds the order total, so that an operator must decide. */
  readonly isWaiting: boolean
  readonly mayDecide: boolean
  /** The amount, including the provider's fee, that the merchant would lose by accepting the dispute; null if no decision is due. */
  readonly ifAccepted: Amount | null
  readonly formKey: string
  /**
   * `taken` is the disputed part of the order, which the merchant gets back if the dispute is won. `fee` is the
   * provider's fee, which the merchant never gets back.
   */
  readonly taken: Amount
  readonly fee: Amount
  /** The deadline for evidence; null if the provider states none. */
  readonly respondBy: string | null
  readonly isOverdue: boolean
  readonly answer: Answer | null
  readonly isTryingAgain: boolean
  /**
   * The time at which the merchant sent evidence or accepted the dispute; null if the merchant did neither, or if the
   * provider refused the evidence.
   */
  readonly answeredAt: string | null
  readonly evidence: readonly ShownEvidence[]
  readonly answering: {
    readonly statement: string
    readonly problems: Readonly<Record<string, string>>
  } | null
  readonly takesAnswers: boolean
}

type OpenDisputeRow = ListedDispute & {
  readonly storefront: string
  readonly url: string
}

export type OpenDisputesPage = FilteredList<OpenDisputeRow, OpenStatus>
