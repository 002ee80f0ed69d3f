import { addDuration } from '../../kernel/calendar.ts'
import { isCurrency } from '../../kernel/currencies.ts'
import { maskedEmail } from '../../kernel/email.ts'
import { lookUp } from '../../kernel/look-up.ts'
import type { Money } from '../../kernel/money.ts'
import type {
  ProviderChargeback,
  ProviderMandate,
  ProviderPayment,
  ProviderRefund,
} from '../../modules/payments/provider-data.ts'
import type { FailureReason } from '../../modules/payments/rules/failure.ts'
import { type PaymentMethod, testMethods } from '../../modules/payments/rules/method.ts'
import { failureReasonOf } from './failure.ts'
import { typeOf } from './methods.ts'
import type {
  ReadCharge,
  ReadDispute,
  ReadIntent,
  ReadMethod,
  ReadRefund,
  ReadSession,
  ReadSetupIntent,
} from './read.ts'

export const included = <Included extends object>(value: string | Included | null | undefined): Included | null =>
  typeof value === 'object' && value !== null ? value : null

export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)

const errorOf = (intent: ReadIntent) =>
  'last_payment_error' in intent ? intent.last_payment_error : intent.last_setup_error

const decided: Readonly<Record<string, ProviderPayment['status']>> = {
  succeeded: 'paid',
  processing: 'pending',
  canceled: 'canceled',
  // An off-session charge has no page on which the buyer could authenticate.
  requires_action: 'failed',
}

/** Whether the intent has no outcome and is not being processed. `requires_action` counts as a failure. */
export const isUndecided = (intent: ReadIntent): boolean =>
  lookUp(decided, intent.status) === undefined && !(intent.status === 'requires_payment_method' && errorOf(intent))

/** An expired session is unpaid: it has no intent, or an intent whose last attempt failed. */
function statusOf(session: ReadSession | null, intent: ReadIntent | null): ProviderPayment['status'] {
  if (session?.status === 'open') return 'open'
  if (session?.status === 'expired') return 'expired'
  if (!intent) return 'expired'
  const isGivenUp = session !== null && Date.now() - 1000 * intent.created > undecidedSessionFailsAfterMs
  return lookUp(decided, intent.status) ?? (isUndecided(intent) && !isGivenUp ? 'pending' : 'failed')
}

/**
 * Milliseconds after which the undecided payment of a completed session counts as failed, because Stripe cannot cancel
 * the intent of such a session.
 */
const undecidedSessionFailsAfterMs = 86_400_000

/** Whether money was refunded or disputed, in part or in whole. After a won dispute, the result stays true, because Stripe keeps `disputed`. */
export const moneyReturned = ({ amount_refunded, disputed }: ReadCharge): boolean => disputed || amount_refunded > 0

/**
 * Calendar days until a payment has settled. Direct debits take up to 14 working days
 * (docs.stripe.com/payments/sepa-debit), other methods up to a day.
 */
const daysToSettle = (isDebit: boolean): number => (isDebit ? 21 : 1)

export function paymentOf(
  ref: string,
  { session, intent }: { session: ReadSession | null; intent: ReadIntent | null },
  { mandate, chargebacks }: { mandate: ProviderMandate | null; chargebacks: readonly string[] },
): ProviderPayment {
  const status = statusOf(session, intent)
  const error = intent && errorOf(intent)
  const reason =
    intent?.status === 'requires_action' ? ('authentication_failed' as const) : failureReasonOf(error ?? {})
  const from = new Date(1000 * (intent ?? session ?? { created: 0 }).created)
  const isDebit = Boolean(intent?.payment_method_types.includes('sepa_debit'))
  return {
    ref,
    status,
    method: methodUsed(intent),
    failureReason: status === 'failed' ? reason : null,
    mandate,
    settlesBefore: status === 'pending' ? addDuration(from, { days: daysToSettle(isDebit) }) : null,
    country: countryOf(intent),
    chargebacks,
  }
}

export const chargeOf = (intent: ReadIntent | null): ReadCharge | null =>
  intent && 'latest_charge' in intent ? included(intent.latest_charge) : null

const detailsOf = (intent: ReadIntent | null) =>
  intent && 'latest_attempt' in intent ? detailsOfAttempt(intent) : chargeOf(intent)?.payment_method_details

const methodUsed = (intent: ReadIntent | null): PaymentMethod | null => {
  const type = detailsOf(intent)?.type
  return testMethods.find((method) => typeOf[method] === type) ?? null
}

/** For iDEAL and Bancontact, the fifth and sixth letters of the BIC are the country. */
function countryOf(intent: ReadIntent | null): string | null {
  const details = chargeOf(intent)?.payment_method_details
  const bank = details?.ideal ?? details?.bancontact
  const known = [
    details?.card?.country,
    details?.sepa_debit?.country,
    details?.paypal?.country,
    included(bank?.generated_sepa_debit)?.sepa_debit?.country,
    bank?.bic?.slice(4, 6),
  ]
  return known.find((country) => /^[A-Z]{2}$/.test(country ?? '')) ?? null
}

export interface SetUp {
  readonly customerId: string
  readonly paymentMethodId: string
  readonly method: ReadMethod | null
  /** The id of Stripe's mandate object, which contains the reference of a direct debit mandate. Null without a direct debit. */
  readonly mandateId: string | null
}

/**
 * Returns the payment method for later charges. Returns null if nothing can be charged later. iDEAL and Bancontact
 * create a separate payment method for direct debits.
 */
export function setUpBy(intent: ReadIntent | null): SetUp | null {
  const customerId = idOf(intent?.customer)
  if (!intent || !customerId) return null
  const details = detailsOf(intent)
  const account = details?.ideal ?? details?.bancontact
  const debit = account?.generated_sepa_debit
  const debitId = idOf(debit)
  if (account && debitId) {
    const mandateId = idOf(account.generated_sepa_debit_mandate)
    return { customerId, paymentMethodId: debitId, method: included(debit), mandateId }
  }
  const method = included(intent.payment_method)
  if (!method || !['card', 'paypal', 'sepa_debit'].includes(method.type)) return null
  const mandate = details?.sepa_debit && 'mandate' in details.sepa_debit ? details.sepa_debit.mandate : null
  const mandateId = mandate ?? ('mandate' in intent ? idOf(intent.mandate) : null)
  return { customerId, paymentMethodId: method.id, method, mandateId }
}

const detailsOfAttempt = ({ latest_attempt }: Pick<ReadSetupIntent, 'latest_attempt'>) =>
  included(latest_attempt)?.payment_method_details

export const mandateRef = (customerId: string, paymentMethodId: string): string => `${customerId}/${paymentMethodId}`

/** `account` is the name of the provider account, which the mandate stores as its provider. */
export function mandateOf(
  account: string,
  { customerId, paymentMethodId }: SetUp,
  method: ReadMethod,
  reference: string | null,
): ProviderMandate {
  const common = { provider: account, ref: mandateRef(customerId, paymentMethodId), status: 'valid' as const }
  if (method.type === 'card') return { ...common, method: 'card', maskedIdentifier: method.card?.last4 ?? '····' }
  if (method.type === 'paypal')
    return { ...common, method: 'paypal', maskedIdentifier: maskedEmail(method.paypal?.payer_email ?? '') }
  const { country, last4 } = method.sepa_debit ?? {}
  return { ...common, method: 'sepa_debit', maskedIdentifier: `${country ?? ''}****${last4 ?? ''}`, reference }
}

export function customerAndMethodOf(mandateRef: string): { customer: string; paymentMethod: string } {
  const [customer = '', paymentMethod = ''] = mandateRef.split('/')
  return { customer, paymentMethod }
}

export const refundOf = ({ id, status }: ReadRefund): ProviderRefund => ({
  ref: id,
  status: status === 'succeeded' ? 'refunded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending',
})

export const takesMoney = ({ status }: Pick<ReadDispute, 'status'>): boolean =>
  !status.startsWith('warning_') && status !== 'prevented'

export const chargebackRef = (paymentRef: string, disputeId: string): string => `${paymentRef}/${disputeId}`

const reasons: Readonly<Record<string, string>> = { fraudulent: 'fraud' }

/** Our reasons for disputes of direct debits: the account holder gave no mandate, or demands the money back without a reason. */
const reasonsOfDebits: Readonly<Record<string, string>> = {
  debit_not_authorized: 'fraud',
  customer_initiated: 'subscription_canceled',
}

/** Failure reasons of returned debits, which Stripe reports as disputes (https://docs.stripe.com/payments/sepa-debit#disputed-payments). */
const returned: Readonly<Record<string, FailureReason>> = {
  insufficient_funds: 'insufficient_funds',
  incorrect_account_details: 'invalid_mandate',
  bank_cannot_process: 'general_failure',
}

export function chargebackOf(dispute: ReadDispute, paymentRef: string): ProviderChargeback {
  const known = { ref: chargebackRef(paymentRef, dispute.id), paymentRef, amount: moneyOf(dispute) }
  // Only disputes of direct debits have no payment method details.
  const isOfDebit = !dispute.payment_method_details
  const ours = lookUp(reasons, dispute.reason) ?? (isOfDebit ? lookUp(reasonsOfDebits, dispute.reason) : null)
  const reason = ours ?? (dispute.reason || 'chargeback')
  if (dispute.status === 'won' || !takesMoney(dispute)) return { ...known, reason, status: 'won' }
  const returnedFor = isOfDebit ? lookUp(returned, dispute.reason) : null
  const taken = { ...known, reason, ...(returnedFor && { returnedFor }) }
  if (dispute.status === 'lost') return { ...taken, status: 'lost' }
  const isSent = dispute.status === 'under_review' || dispute.status === 'appeal_under_review'
  const dueBy = dispute.evidence_details?.due_by
  const respondBy = dueBy ? new Date(dueBy * 1000) : null
  return { ...taken, status: isSent ? 'evidence_submitted' : 'pending', respondBy, askAgain: { days: 1 } }
}

function moneyOf({ currency, amount }: { currency: string; amount: number }): Money {
  const code = currency.toUpperCase()
  if (!isCurrency(code)) throw new Error(`Stripe reports an amount in ${code}`)
  return { minor: BigInt(amount), currency: code }
}
