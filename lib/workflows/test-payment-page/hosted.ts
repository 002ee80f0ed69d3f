import type { Locale } from '../../kernel/locale.ts'
import { storefrontName } from '../../modules/accounts/store.ts'
import { originsOf } from '../../modules/checkouts/form-origins.ts'
import { findCheckout } from '../../modules/checkouts/store.ts'
import { amount } from '../../modules/checkouts/tax-input.ts'
import type { TestPaymentPage } from '../../modules/payments/page.ts'
import { paymentByRef } from '../../modules/payments/store.ts'
import { linkToken, openLinkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { outcomesOf, readChoice } from '../../providers/sandbox/outcome.ts'
import { choose } from '../../providers/sandbox/provider.ts'
import { findSandboxPayment, type SandboxPayment } from '../../providers/sandbox/store.ts'
import { afterVerification, billingUpdateOrigins } from '../billing-update/hosted.ts'
import { afterPayment } from '../sale/hosted.ts'
import { syncWithProvider } from '../sale/sync-payment.ts'

/** The test provider's hosted page. Null if the link is unknown. */
export async function testPaymentPage(token: string): Promise<TestPaymentPage | null> {
  const payment = await find(token)
  if (!payment) return null
  return {
    locale: payment.locale,
    state: payment.status === 'open' ? 'open' : 'done',
    storefrontName: await storefrontName(db(), payment.storefrontId),
    amount: amount(payment.amount.minor, payment.amount.currency),
    method: payment.method,
    outcomes: outcomesOf(payment),
    isVerification: payment.amount.minor === 0n,
    withMandate: payment.makesMandate,
    submitUrl: `/pay/${linkToken('payment', payment.ref)}/submit`,
    returnUrl: payment.returnUrl,
  }
}

/** Applies the chosen outcome, once. Returns where to go next. Null if the link is unknown. */
export async function chooseOutcome(token: string, form: URLSearchParams): Promise<{ redirectTo: string } | null> {
  const payment = await find(token)
  if (!payment) return null
  const choice = readChoice(form)
  if (!choice) return { redirectTo: `/pay/${linkToken('payment', payment.ref)}` }
  await choose(payment.storefrontId, payment.ref, choice)
  await syncWithProvider(scopeOf(payment), payment.ref)
  const { known, checkout, billingToken } = await paidBy(payment)
  const next = checkout ? afterPayment(checkout, known) : billingToken && (await afterVerification(billingToken))
  return { redirectTo: next ?? payment.returnUrl }
}

/** Origins of the shop that the page's form may lead to. */
export async function paymentOrigins(token: string): Promise<string[]> {
  const payment = await find(token)
  if (!payment) return []
  const { checkout, billingToken } = await paidBy(payment)
  if (checkout) return originsOf(checkout)
  return billingToken === null ? [] : billingUpdateOrigins(billingToken)
}

/** The HTTP status of the page, without loading all its data. */
export const paymentStatus = async (token: string): Promise<200 | 404> => ((await find(token)) ? 200 : 404)

const scopeOf = ({ storefrontId }: SandboxPayment) => ({ storefrontId, testmode: true })

/** Our payment for a payment at the provider, and its purpose: a checkout, or a billing-update link. */
async function paidBy(payment: SandboxPayment) {
  const tenant = scopeOf(payment)
  const known = await paymentByRef(db(), tenant, payment.ref)
  const checkout = known?.checkoutId ? await findCheckout(db(), tenant, known.checkoutId) : null
  const billingToken = known?.billingLinkId ? linkToken('billing', known.billingLinkId) : null
  return { known, checkout, billingToken }
}

/** A payment that the buyer makes on a page: a charge on a mandate has none. */
type OnPage = SandboxPayment & { locale: Locale; returnUrl: string }

async function find(token: string): Promise<OnPage | null> {
  const ref = openLinkToken('payment', 'sandbox_', token)
  const payment = ref === null ? null : await findSandboxPayment(db(), ref)
  return payment && isOnPage(payment) ? payment : null
}

const isOnPage = (payment: SandboxPayment): payment is OnPage => payment.locale !== null && payment.returnUrl !== null
