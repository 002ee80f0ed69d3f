import type { z } from 'zod'
import type { FilteredList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { ChargebackShape } from '../chargebacks/contract.ts'
import type { HostedPage } from '../checkouts/page.ts'
import type { CustomerLinks, EmailRow } from '../emails/page.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { PaymentMethod } from '../payments/rules/method.ts'
import type { PaymentStatus } from '../payments/rules/state.ts'
import type { PastDueRow } from '../recovery/page.ts'
import type { RefundShape } from '../refunds/contract.ts'
import type { RefundableLine } from '../refunds/page.ts'
import type { DeliveryRow } from '../webhooks/page.ts'
import type { OrderShape } from './contract.ts'
import type { OrderState } from './rules/shown-state.ts'
import type { WithdrawalKind } from './rules/withdrawal.ts'

/** The fields of the model withdrawal form, in the order of Directive 2011/83/EU, annex I(B). */
export const withdrawalFormFields = ['to', 'notice', 'ordered', 'name', 'address', 'signature', 'date'] as const

/** Times are ISO 8601 in UTC. */
export interface WithdrawalPage extends HostedPage {
  /** `review`: the statement is shown, and the next button withdraws. `lost`: digital content has begun. */
  state: 'open' | 'review' | 'declared' | 'over' | 'lost'
  number: string
  concludedAt: string
  /** The last day of the right, as `2026-12-04`. */
  until: string
  timeZone: string | null
  lines: WithdrawableItem[]
  begun: WithdrawalKind | null
  hasTrial: boolean
  /** In the state `declared`: whether the lines of the last withdrawal were paid for. */
  isPaid: boolean
  name: string
  maskedEmail: string
  problems: { lines: boolean; quantity: boolean; name: boolean }
  statement: string | null
  /** In the state `review`: whether the withdrawal ends a subscription. */
  endsSubscriptions: boolean
  declared: { at: string; maskedEmail: string; items: Item[]; statement: string }[]
  submitUrl: string
  formUrl: string
  portalUrl: string
}

interface Item {
  readonly name: string
  readonly quantity: number
  /** The number of units bought. For a line that is not chosen yet: the units that can be withdrawn from now. */
  readonly of: number
}

interface WithdrawableItem extends Item {
  readonly position: number
  readonly left: number
  readonly isChosen: boolean
  /** The quantity as typed. `isWrong`: the quantity is not possible. */
  readonly typed: string
  readonly isWrong: boolean
}

interface AdminWithdrawal {
  readonly name: string
  readonly email: string
  readonly statement: string
  readonly source: 'portal' | 'link'
  readonly declaredAt: string
  readonly items: readonly Item[]
}

/** Times are ISO 8601 in UTC. */
export interface PaymentAttempt {
  readonly id: string
  readonly method: PaymentMethod
  readonly amount: Amount
  readonly status: PaymentStatus
  readonly failureReason: FailureReason | null
  readonly createdAt: string
  readonly finishedAt: string | null
}

export type AdminOrder = z.infer<typeof OrderShape>

export type AdminOrderRow = AdminOrder & {
  /** The company, person, or address of the customer. */
  readonly customer: string
  readonly state: OrderState
}

export type OrdersPage = FilteredList<AdminOrderRow, AdminOrder['status']> & {
  readonly customerId: string | null
  readonly refundsExportUrl?: string
}

export interface OrderLink {
  readonly id: string
  readonly invoiceNumber: string | null
}

export interface OrderPage {
  readonly order: AdminOrderRow
  readonly eInvoiceUrl: string | null
  /** False for a credit note or a replacement invoice, which are neither paid nor refunded. */
  readonly isSale: boolean
  readonly credits: OrderLink | null
  readonly replaces: OrderLink | null
  readonly replacedBy: OrderLink | null
  /** Oldest first. */
  readonly creditNotes: readonly OrderLink[]
  readonly chargebacks: readonly z.infer<typeof ChargebackShape>[]
  readonly lines: readonly RefundableLine[]
  /** With tax. */
  readonly left: Amount
  readonly refundReasons: Readonly<Record<string, string>>
  readonly notRefundable: string | null
  readonly refunds: readonly z.infer<typeof RefundShape>[]
  readonly emails: readonly EmailRow[]
  readonly attempts: readonly PaymentAttempt[]
  readonly mayRefund: boolean
  /** The ids of sent refunds that can still be canceled at the provider. */
  readonly recallable: readonly string[]
  readonly pastDue: PastDueRow | null
  /** Whether the order charged a change, its payment failed, and the reader may undo the change. */
  readonly mayUndo: boolean
  /** A consumer's right of withdrawal. Null without the right, and before the payment. */
  readonly withdrawal: { readonly kind: WithdrawalKind; readonly beginsAtOnce: boolean; readonly until: string } | null
  readonly declared: readonly AdminWithdrawal[]
  /** Later paid orders of the withdrawn subscriptions, oldest first. Each is refunded on its own page. */
  readonly laterPayments: readonly {
    readonly id: string
    readonly number: string
    readonly total: Amount
    readonly paidAt: string
  }[]
  /** The amounts to refund for the withdrawals, before tax, by line: at most the amount left of each line. */
  readonly amounts: Readonly<Record<string, string>>
  readonly evidenceUrl?: string
  readonly links: CustomerLinks | null
  /** The newest deliveries of its events and of those of its refunds. Empty if the reader may not see deliveries. */
  readonly deliveries: readonly DeliveryRow[]
  readonly formKey: string
}
