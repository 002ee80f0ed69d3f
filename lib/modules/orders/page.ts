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

/**
 * The fields of the model withdrawal form, in the order of Directive 2011/83/EU, annex I(B). The messages have its wording
 * in each language.
 */
export const withdrawalFormFields = ['to', 'notice', 'ordered', 'name', 'address', 'signature', 'date'] as const

/** The page on which a consumer withdraws from a contract or from some of its lines. Times are ISO 8601 in UTC. */
export interface WithdrawalPage extends HostedPage {
  /** `review`: the statement is shown, and the next button withdraws. `lost`: digital content has begun. */
  state: 'open' | 'review' | 'declared' | 'over' | 'lost'
  /** The invoice number, or the order's id. */
  number: string
  concludedAt: string
  /** The last day of the right, as `2026-12-04`. */
  until: string
  /** The buyer's time zone, for days and times on the page and in emails. Null if unknown. */
  timeZone: string | null
  /** The lines that can be withdrawn from now. */
  lines: WithdrawableItem[]
  /** The kind of supply that began at once at the buyer's request. Null if nothing began at once. */
  begun: WithdrawalKind | null
  /** Whether a line of the contract began with a free trial. */
  hasTrial: boolean
  /** In the state `declared`: whether the lines of the last withdrawal were paid for. */
  isPaid: boolean
  name: string
  /** The recipient of the acknowledgement: the order's address, and the customer's address if different. */
  maskedEmail: string
  problems: { lines: boolean; quantity: boolean; name: boolean }
  /** The declaration about the chosen lines. Null except in the state `review`. */
  statement: string | null
  /** In the state `review`: whether the withdrawal ends a subscription. */
  endsSubscriptions: boolean
  /** Earlier withdrawals, oldest first. */
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
  /** The number of units that can be withdrawn from now. */
  readonly left: number
  readonly isChosen: boolean
  /** The quantity as typed. `isWrong`: the quantity is not possible. */
  readonly typed: string
  readonly isWrong: boolean
}

/** A declared withdrawal in the admin area. */
interface AdminWithdrawal {
  readonly name: string
  readonly email: string
  readonly statement: string
  readonly source: 'portal' | 'link'
  readonly declaredAt: string
  readonly items: readonly Item[]
}

/** A payment of an order. Times are ISO 8601 in UTC. */
export interface PaymentAttempt {
  readonly id: string
  readonly method: PaymentMethod
  readonly amount: Amount
  readonly status: PaymentStatus
  readonly failureReason: FailureReason | null
  readonly createdAt: string
  readonly finishedAt: string | null
}

/** An order in the API's shape, as pages show it. */
export type AdminOrder = z.infer<typeof OrderShape>

/** An order in a list. */
export type AdminOrderRow = AdminOrder & {
  /** The company, person, or address of the customer. */
  readonly customer: string
  readonly state: OrderState
}

/** The orders of a storefront and mode. */
export type OrdersPage = FilteredList<AdminOrderRow, AdminOrder['status']> & {
  /** The customer whose orders are listed. Null for all customers. */
  readonly customerId: string | null
  /** The target of the form that downloads all refunds as a file. Absent without permission. */
  readonly refundsExportUrl?: string
}

/** A link to another order. */
export interface OrderLink {
  readonly id: string
  readonly invoiceNumber: string | null
}

/** One order in the admin area, with its refunds and emails. */
export interface OrderPage {
  readonly order: AdminOrderRow
  /** The invoice in UBL. Null without an invoice. */
  readonly eInvoiceUrl: string | null
  /** False for a credit note or a replacement invoice, which are neither paid nor refunded. */
  readonly isSale: boolean
  /** For a credit note: the credited order. */
  readonly credits: OrderLink | null
  /** For a replacement invoice: the paid order. */
  readonly replaces: OrderLink | null
  /** The replacement of this order's invoice. */
  readonly replacedBy: OrderLink | null
  /** Oldest first. */
  readonly creditNotes: readonly OrderLink[]
  readonly chargebacks: readonly z.infer<typeof ChargebackShape>[]
  readonly lines: readonly RefundableLine[]
  /** What can still be refunded, with tax. */
  readonly left: Amount
  /** The reasons of refunds, by the id of the refund. */
  readonly refundReasons: Readonly<Record<string, string>>
  /** The reason why the order cannot be refunded. Null if it can. */
  readonly notRefundable: string | null
  readonly refunds: readonly z.infer<typeof RefundShape>[]
  readonly emails: readonly EmailRow[]
  /** The payments of the order, oldest first. */
  readonly attempts: readonly PaymentAttempt[]
  /** Whether the reader may refund. */
  readonly mayRefund: boolean
  /** The ids of sent refunds that can still be canceled at the provider. */
  readonly recallable: readonly string[]
  /** The failed payment that the service still tries to collect. Null without one. */
  readonly pastDue: PastDueRow | null
  /** Whether the order charged a change, its payment failed, and the reader may undo the change. */
  readonly mayUndo: boolean
  /** A consumer's right of withdrawal. Null without the right, and before the payment. */
  readonly withdrawal: { readonly kind: WithdrawalKind; readonly beginsAtOnce: boolean; readonly until: string } | null
  /** The buyer's withdrawals, oldest first. */
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
  /** The target of the form that downloads the tax evidence as a PDF. Absent without permission. */
  readonly evidenceUrl?: string
  readonly links: CustomerLinks | null
  /** The newest deliveries of its events and of those of its refunds. Empty if the reader may not see deliveries. */
  readonly deliveries: readonly DeliveryRow[]
  readonly formKey: string
}
