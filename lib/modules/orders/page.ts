import type { z } from 'zod'
import type { FilteredList } from '../../kernel/list.ts'
import type { Amount } from '../../kernel/money.ts'
import type { ChargebackShape } from '../chargebacks/contract.ts'
import type { HostedPage } from '../checkouts/page.ts'
import type { EmailRow } from '../emails/page.ts'
import type { FailureReason } from '../payments/rules/failure.ts'
import type { PaymentMethod } from '../payments/rules/method.ts'
import type { PaymentStatus } from '../payments/rules/state.ts'
import type { RefundShape } from '../refunds/contract.ts'
import type { RefundableLine } from '../refunds/page.ts'
import type { OrderShape } from './contract.ts'
import type { WithdrawalKind } from './rules/withdrawal.ts'

/**
 * The fields of the model withdrawal form, in the order of Directive 2011/83/EU, annex I(B). The messages have its wording
 * in each language.
 */
export const withdrawalFormFields = ['to', 'notice', 'ordered', 'name', 'address', 'signature', 'date'] as const

/** The page on which a consumer withdraws from a contract or from lines of it. Moments are ISO 8601 in UTC. */
export interface WithdrawalPage extends HostedPage {
  /** `review`: the statement is shown, and the next button withdraws. `lost`: digital content has begun. */
  state: 'open' | 'review' | 'declared' | 'over' | 'lost'
  /** Of the invoice, or the order's id. */
  number: string
  concludedAt: string
  /** The last day of the right, as `2026-12-04`. */
  until: string
  /** The buyer's, in which days and times are named, as in their emails; null if it is not known. */
  timeZone: string | null
  /** The lines that can be withdrawn from now. */
  lines: WithdrawableItem[]
  /** What the buyer asked to begin at once; null if nothing. */
  begun: WithdrawalKind | null
  /** Whether a line of it began with a free trial. */
  hasTrial: boolean
  /** In the state `declared`: whether anything was paid for what was withdrawn from last. */
  isPaid: boolean
  name: string
  /** Where the acknowledgement goes: the address of the order, and the customer's where that is another one. */
  maskedEmail: string
  problems: { lines: boolean; quantity: boolean; name: boolean }
  /** What will be declared, about the lines that are chosen; null but in the state `review`. */
  statement: string | null
  /** In the state `review`: whether a subscription ends with it. */
  endsSubscriptions: boolean
  /** What was withdrawn from before, the earliest first. */
  declared: { at: string; maskedEmail: string; items: Item[]; statement: string }[]
  submitUrl: string
  formUrl: string
  portalUrl: string
}

interface Item {
  readonly name: string
  readonly quantity: number
  /** How many were bought, or can be withdrawn from now. */
  readonly of: number
}

interface WithdrawableItem extends Item {
  readonly position: number
  /** How many can be withdrawn from now. */
  readonly left: number
  readonly isChosen: boolean
  /** The quantity as it was typed, and whether so many cannot be withdrawn from. */
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

/** An attempt to be paid. Moments are ISO 8601 in UTC. */
export interface PaymentAttempt {
  readonly id: string
  readonly method: PaymentMethod
  readonly amount: Amount
  readonly status: PaymentStatus
  readonly failureReason: FailureReason | null
  readonly createdAt: string
  readonly finishedAt: string | null
}

/** An order of the interface, as pages show it. */
export type AdminOrder = z.infer<typeof OrderShape>

/** The orders of a storefront and mode. */
export type OrdersPage = FilteredList<AdminOrder> & {
  /** Whose orders they are; null for those of all customers. */
  readonly customerId: string | null
  /** Where a form gets all refunds as a file; absent where the reader may not. */
  readonly refundsExportUrl?: string
}

/** Another order that a page leads to. */
export interface OrderLink {
  readonly id: string
  readonly invoiceNumber: string | null
}

/** One order in the admin area, with its refunds and emails. */
export interface OrderPage {
  readonly order: AdminOrder
  /** Its invoice in UBL; null where there is none. */
  readonly eInvoiceUrl: string | null
  /** Otherwise it is a document about one, a credit note or a replacement: nothing of it is paid or refunded. */
  readonly isSale: boolean
  /** Of a credit note: the order that it credits. */
  readonly credits: OrderLink | null
  /** Of an invoice in place of another: the order that was paid. */
  readonly replaces: OrderLink | null
  /** The invoice in place of its own. */
  readonly replacedBy: OrderLink | null
  /** The oldest first. */
  readonly creditNotes: readonly OrderLink[]
  readonly chargebacks: readonly z.infer<typeof ChargebackShape>[]
  readonly lines: readonly RefundableLine[]
  /** Why nothing of it can be refunded; null when something can. */
  readonly notRefundable: string | null
  readonly refunds: readonly z.infer<typeof RefundShape>[]
  readonly emails: readonly EmailRow[]
  /** Attempts to be paid, the oldest first. */
  readonly attempts: readonly PaymentAttempt[]
  /** Whether the reader may refund. */
  readonly mayRefund: boolean
  /** The ids of refunds that were sent, and may be canceled at the provider. */
  readonly recallable: readonly string[]
  /** Whether the order charged a change, its payment failed, and the reader may undo the change. */
  readonly mayUndo: boolean
  /** A consumer's right of withdrawal; null without it, and before the payment. */
  readonly withdrawal: { readonly kind: WithdrawalKind; readonly beginsAtOnce: boolean; readonly until: string } | null
  /** The buyer's withdrawals, the earliest first. */
  readonly declared: readonly AdminWithdrawal[]
  /** What was paid after this order for the subscriptions that were withdrawn from, the oldest first: it is refunded from there. */
  readonly laterPayments: readonly {
    readonly id: string
    readonly number: string
    readonly total: Amount
    readonly paidAt: string
  }[]
  /** What they ask to be refunded, before tax, by line, as far as it is left. */
  readonly amounts: Readonly<Record<string, string>>
  /** What its tax was decided by, as a PDF: a form's target, for who may take files. */
  readonly evidenceUrl?: string
  readonly formKey: string
}
