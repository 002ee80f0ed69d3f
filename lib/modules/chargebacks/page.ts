import type { z } from 'zod'
import type { FilteredList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { ChargebackShape } from './contract.ts'
import type { Answer, ShownEvidence } from './evidence-store.ts'

export { evidenceKinds, evidenceLimits } from './rules/evidence.ts'
export { explainedReason, reasonText } from './rules/reason.ts'

/** A chargeback as the API returns it. */
export type AdminChargeback = z.infer<typeof ChargebackShape>

/** The chargebacks of a storefront and mode, and what they do to subscriptions. */
export type ChargebacksPage = FilteredList<AdminChargeback, AdminChargeback['status']> & {
  readonly endSubscriptions: { readonly isOn: boolean; readonly mayChange: boolean; readonly formKey: string }
}

/** One chargeback in the admin area. */
export interface ChargebackPage {
  readonly chargeback: AdminChargeback
  /** Of the disputed order. */
  readonly invoiceNumber: string | null
  readonly customer: { readonly id: string; readonly name: string | null } | null
  /** Whether more is disputed than was sold, so that somebody has to decide. */
  readonly isWaiting: boolean
  readonly mayDecide: boolean
  /** The amount that an acceptance would deduct from the merchant, with the provider's fee; null if no decision is due. */
  readonly ifAccepted: Amount | null
  readonly formKey: string
  /** The part of the settlement amount that is returned if the dispute is won, and the fee, which is never returned. */
  readonly taken: Amount
  readonly fee: Amount
  /** The deadline for evidence; null if the provider states none. */
  readonly respondBy: string | null
  readonly isOverdue: boolean
  readonly answer: Answer | null
  /** Whether sending the answer failed, and is tried again. */
  readonly isTryingAgain: boolean
  /** Null if the answer was refused or not sent. */
  readonly answeredAt: string | null
  readonly evidence: readonly ShownEvidence[]
  /** The form that answers the dispute; null without the permission, or if the merchant cannot answer the dispute in the admin area. */
  readonly answering: {
    readonly statement: string
    readonly problems: Readonly<Record<string, string>>
  } | null
  /** Whether the provider accepts answers through its API. */
  readonly takesAnswers: boolean
}

/** A chargeback that waits for a decision, of any storefront. */
export type ChargebackToDecide = AdminChargeback & { readonly storefront: string; readonly url: string }
