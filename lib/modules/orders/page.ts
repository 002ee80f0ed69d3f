import type { z } from 'zod'
import type { FilteredList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { Named } from '../../kernel/named.ts'
import type { ChargebackShape } from '../chargebacks/contract.ts'
import type { HostedPage } from '../checkouts/page.ts'
import type { CustomerLinks, EmailRow } from '../emails/page.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { PaymentMethod } from '../payments/rules/method.ts'
import type { PaymentStatus } from '../payments/rules/state.ts'
import type { PastDueRow } from '../recovery/page.ts'
import type { RefundShape } from '../refunds/contract.ts'
import type { RefundableLine } from '../refunds/page.ts'
import type { NotRefundable } from '../refunds/rules/index.ts'
import type { DeliveryRow } from '../webhooks/page.ts'
import type { OrderShape } from './contract.ts'
import type { OrderState } from './rules/shown-state.ts'
import type { WithdrawalKind } from './rules/withdrawal.ts'

/** The fields of the model withdrawal form, in the order of Directive 2011/83/EU, annex I(B). */
export const withdrawalFormFields = ['to', 'notice', 'ordered', 'name', 'address', 'signature', 'date'] as const

export interface WithdrawalPage extends HostedPage {
  /** `review`: the buyer checks the statement before submitting it. `lost`: the right ended because the supply of the digital content has begun. */
  state: 'open' | 'review' | 'declared' | 'over' | 'lost'
  number: string
  concludedAt: string
  /** The last day on which the buyer can withdraw, such as `2026-12-04`. */
  until: string
  timeZone: string | null
  lines: WithdrawableItem[]
  begun: WithdrawalKind | null
  hasTrial: boolean
  isPaid: boolean
  name: string
  maskedEmail: string
  problems: { lines: boolean; quantity: boolean; name: boolean }
  statement: string | null
  endsSubscriptions: boolean
  declared: { at: string; maskedEmail: string; items: Item[]; statement: string }[]
  submitUrl: string
  formUrl: string
  portalUrl: string
}

interface Item {
  readonly name: string
  readonly quantity: number
  /**
   * The number of bought units. For a line that the buyer has not chosen yet, the number of units that can still be
   * withdrawn.
   */
  readonly of: number
}

interface WithdrawableItem extends Item {
  readonly position: number
  readonly left: number
  readonly isChosen: boolean
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
  readonly customer: string
  readonly state: OrderState
}

export type OrdersPage = FilteredList<AdminOrderRow, AdminOrder['status']> & {
  readonly customerId: string | null
  /** The customer by whom the list is filtered; null for a list of all customers. */
  readonly customer: Named | null
  readonly refundsExportUrl?: string
}

export interface OrderLink {
  readonly id: string
  readonly invoiceNumber: string | null
}

export interface OrderPage {
  readonly order: AdminOrderRow
  readonly eInvoiceUrl: string | null
  readonly isSale: boolean
  readonly credits: OrderLink | null
  readonly replaces: OrderLink | null
  readonly replacedBy: OrderLink | null
  readonly creditNotes: readonly OrderLink[]
  readonly chargebacks: readonly z.infer<typeof ChargebackShape>[]
  readonly lines: readonly RefundableLine[]
  readonly left: Amount
  readonly refundReasons: Readonly<Record<string, string>>
  /** Why the order cannot be refunded; null if the order can be refunded. */
  readonly notRefundable: NotRefundable | null
  readonly refunds: readonly z.infer<typeof RefundShape>[]
  readonly emails: readonly EmailRow[]
  readonly attempts: readonly PaymentAttempt[]
  readonly mayRefund: boolean
  readonly recallable: readonly string[]
  readonly pastDue: PastDueRow | null
  readonly mayUndo: boolean
  /** A consumer's right of withdrawal; null before the payment, or if the buyer has no such right. */
  readonly withdrawal: { readonly kind: WithdrawalKind; readonly beginsAtOnce: boolean; readonly until: string } | null
  readonly declared: readonly AdminWithdrawal[]
  /** The later paid orders of the withdrawn subscriptions, oldest first. Each order has a separate refund page. */
  readonly laterPayments: readonly {
    readonly id: string
    readonly number: string
    readonly total: Amount
    readonly paidAt: string
  }[]
  /** The refund of each line before tax, for the withdrawn units. It is at most the remaining amount of the line. */
  readonly amounts: Readonly<Record<string, string>>
  readonly evidenceUrl?: string
  readonly links: CustomerLinks | null
  readonly deliveries: readonly DeliveryRow[]
  readonly formKey: string
}
