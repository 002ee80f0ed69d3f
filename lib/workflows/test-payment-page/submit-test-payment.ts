import { readChoice } from '../../modules/payments/rules/choice.ts'
import { afterVerification } from '../billing-update/submit-billing-update.ts'
import { syncWithProvider } from '../collection/sync-payment.ts'
import { pagePayments } from '../provider-notices/page-payments.ts'
import { afterPayment } from '../sale/submit-checkout.ts'
import { findTestPayment, paidBy, tenantOf } from './find-payment.ts'

/** Applies the chosen outcome once. Returns the next URL; null if the link is unknown. */
export async function chooseOutcome(token: string, form: URLSearchParams): Promise<{ redirectTo: string } | null> {
  const found = await findTestPayment(token)
  if (!found) return null
  const { payment, controls } = found
  const choice = readChoice(form)
  if (!choice) return { redirectTo: controls.pagePath(payment.ref) }
  await controls.choose(payment, choice)
  await syncWithProvider(tenantOf(payment), payment.ref, pagePayments)
  const { known, checkout, billingToken } = await paidBy(payment)
  const next = checkout ? afterPayment(checkout, known) : billingToken && (await afterVerification(billingToken))
  return { redirectTo: next ?? payment.returnUrl }
}
