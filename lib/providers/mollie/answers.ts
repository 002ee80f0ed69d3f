import { addDuration } from '../../kernel/calendar.ts'
import { isCurrency } from '../../kernel/currencies.ts'
import { maskedEmail } from '../../kernel/email.ts'
import { lookUp } from '../../kernel/look-up.ts'
import { type Money, parseMoney } from '../../kernel/money.ts'
import { maskedIban } from '../../kernel/sepa.ts'
import type {
  ProviderChargeback,
  ProviderMandate,
  ProviderPayment,
  ProviderRefund,
} from '../../modules/payments/provider-data.ts'
import { paymentMethods } from '../../modules/payments/rules/method.ts'
import { debitReturnOf } from '../../modules/payments/rules/returned-debit.ts'
import type { TransferDetails } from '../../modules/payments/rules/transfer-details.ts'
import { failureReasonOf } from './failure.ts'
import type { MollieChargeback, MollieMandate, MolliePayment, MollieRefund } from './shapes.ts'

const statuses: Readonly<Record<string, ProviderPayment['status']>> = {
  open: 'open',
  pending: 'pending',
  authorized: 'pending',
  paid: 'paid',
  canceled: 'canceled',
  expired: 'expired',
  failed: 'failed',
}

export const isKnownStatus = (status: string): boolean => Object.hasOwn(statuses, status)

/**
 * Treats an unknown status as open. An open recurring payment or bank transfer is pending, because the buyer has
 * nothing to do on a page.
 */
export function statusOf(payment: MolliePayment): ProviderPayment['status'] {
  const known = lookUp(statuses, payment.status) ?? 'open'
  return known === 'open' && (payment.sequenceType === 'recurring' || transferOf(payment)) ? 'pending' : known
}

/** Whether money was refunded or charged back, in part or in whole. */
export const moneyReturned = ({ amountRefunded, amountChargedBack }: MolliePayment): boolean =>
  [amountRefunded, amountChargedBack].some((amount) => /[1-9]/.test(amount?.value ?? ''))

export function transferOf({ method, details }: MolliePayment): TransferDetails | null {
  const { bankName, bankAccount, bankBic, transferReference } = details ?? {}
  if (method !== 'banktransfer' || !bankAccount || !transferReference) return null
  return { bankName: bankName ?? '', account: bankAccount, bic: bankBic ?? null, reference: transferReference }
}

/**
 * Days until the outcome of a payment is known. Banks decide a direct debit within five banking days of its due date.
 * Other methods are decided within a day.
 */
const daysToSettle = (payment: MolliePayment): number => (payment.method === 'directdebit' ? 7 : 1)

export function paymentOf(
  payment: MolliePayment,
  { mandate, chargebacks }: { mandate: ProviderMandate | null; chargebacks: readonly string[] },
): ProviderPayment {
  const status = statusOf(payment)
  const { dueDate } = payment.details ?? {}
  const from = dueDate && /^\d{4}-\d{2}-\d{2}$/.test(dueDate) ? new Date(`${dueDate}T00:00:00Z`) : payment.createdAt
  return {
    ref: payment.id,
    status,
    method: paymentMethods.find((each) => each === payment.method) ?? null,
    failureReason: status === 'failed' ? failureReasonOf(payment.details ?? {}) : null,
    mandate,
    settlesBefore:
      status === 'pending' ? (payment.expiresAt ?? addDuration(from, { days: daysToSettle(payment) })) : null,
    transfer: transferOf(payment),
    country: countryOf(payment),
    chargebacks,
  }
}

function countryOf({ details, countryCode }: MolliePayment): string | null {
  const [iban] = /^[A-Z]{2}(?=\d{2}[A-Z0-9]{11,30}$)/.exec(details?.consumerAccount ?? '') ?? []
  const found = details?.cardCountryCode ?? iban ?? countryCode ?? ''
  return /^[A-Z]{2}$/.test(found) ? found : null
}

/**
 * Returns the mandate, or null for a mandate that cannot be charged. A pending mandate has no account number or
 * reference yet.
 */
export function mandateOf(account: string, customerId: string, mandate: MollieMandate): ProviderMandate | null {
  if (mandate.status === 'invalid') return null
  const cardNumber = mandate.details?.cardNumber ?? ''
  const consumerAccount = mandate.details?.consumerAccount ?? ''
  const status: ProviderMandate['status'] = mandate.status === 'valid' ? 'valid' : 'pending'
  const common = { provider: account, ref: mandateRef(customerId, mandate.id), status }
  switch (mandate.method) {
    case 'creditcard':
      return { ...common, method: 'card', maskedIdentifier: cardNumber.slice(-4) || '····' }
    case 'paypal':
      return { ...common, method: 'paypal', maskedIdentifier: maskedEmail(consumerAccount) }
    case 'directdebit': {
      const reference = mandate.mandateReference ?? null
      return { ...common, method: 'sepa_debit', maskedIdentifier: maskedIban(consumerAccount), reference }
    }
    default:
      return null
  }
}

/** A mandate id is unique only for its customer. */
export const mandateRef = (customerId: string, mandateId: string): string => `${customerId}/${mandateId}`

export function customerAndMandateOf(ref: string): { customerId: string; mandateId: string } {
  const [customerId = '', mandateId = ''] = ref.split('/')
  return { customerId, mandateId }
}

export const refundOf = ({ id, status }: MollieRefund): ProviderRefund => ({
  ref: id,
  status: status === 'refunded' ? 'refunded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending',
})

/** A chargeback id is unique only for its payment. */
export const chargebackRef = ({ paymentId, id }: Pick<MollieChargeback, 'paymentId' | 'id'>): string =>
  `${paymentId}/${id}`

/** Days after which an open card dispute counts as lost, because Mollie reports a win but not a loss. */
const disputeDays = 180

export function chargebackOf(
  chargeback: MollieChargeback,
  payment: Pick<MolliePayment, 'method'>,
  now: Date,
): ProviderChargeback {
  const { paymentId, createdAt, reversedAt, reason } = chargeback
  const known = { ref: chargebackRef(chargeback), paymentRef: paymentId, amount: moneyOf(chargeback.amount) }
  const text = reason?.description || reason?.code || 'chargeback'
  const returned = payment.method === 'directdebit' ? debitReturnOf(reason?.code) : null
  const words = { reason: returned && 'disputed' in returned ? returned.disputed : text.slice(0, 255) }
  if (reversedAt) return { ...known, ...words, status: 'won' }
  const end = addDuration(createdAt, { days: disputeDays }) ?? createdAt
  if (returned && 'failed' in returned) return { ...known, ...words, status: 'lost', returnedFor: returned.failed }
  if (payment.method === 'directdebit' || now >= end) return { ...known, ...words, status: 'lost' }
  return { ...known, ...words, status: 'pending', askAgain: { days: 1 } }
}

function moneyOf({ currency, value }: { currency: string; value: string }): Money {
  if (!isCurrency(currency)) throw new Error(`Mollie reports an amount in ${currency}`)
  const money = parseMoney(value.replace('-', ''), currency)
  if (!money) throw new Error('Mollie reports a malformed amount')
  return money
}
