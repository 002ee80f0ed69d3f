import type { Locale } from '../../kernel/locale.ts'
import { amount } from '../../kernel/money.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import { originsOf } from '../../modules/checkouts/form-origins.ts'
import { findCheckout } from '../../modules/checkouts/store.ts'
import type { TestPaymentPage } from '../../modules/payments/page.ts'
import { readChoice } from '../../modules/payments/rules/choice.ts'
import { paymentByRef } from '../../modules/payments/store.ts'
import type { TestControls, TestPayment } from '../../modules/payments/test-controls.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { allTestControls } from '../../providers/index.ts'
import { afterVerification, billingUpdateOrigins } from '../billing-update/hosted.ts'
import { syncWithProvider } from '../collection/sync-payment.ts'
import { pagePayments } from '../provider-notices/page-payments.ts'
import { afterPayment } from '../sale/hosted.ts'

/** The page on which the buyer pays in test mode. Null if the link is unknown. */
export async function testPaymentPage(token: string): Promise<TestPaymentPage | null> {
  const found = await find(token)
  if (!found) return null
  const { payment, controls } = found
  const { storefrontName, brand } = await storefrontView(db(), payment.storefrontId)
  return {
    locale: payment.locale,
    state: payment.status === 'open' ? 'open' : 'done',
    storefrontName,
    brand,
    amount: amount(payment.amount.minor, payment.amount.currency),
    method: payment.method,
    outcomes: controls.outcomesOf(payment),
    isVerification: payment.amount.minor === 0n,
    withMandate: payment.makesMandate,
    submitUrl: `${controls.pagePath(payment.ref)}/submit`,
    returnUrl: payment.returnUrl,
  }
}

/** Applies the chosen outcome, once. Returns where to go next. Null if the link is unknown. */
export async function chooseOutcome(token: string, form: URLSearchParams): Promise<{ redirectTo: string } | null> {
  const found = await find(token)
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

/** Origins of the shop that the page's form may lead to. */
export async function paymentOrigins(token: string): Promise<string[]> {
  const found = await find(token)
  if (!found) return []
  const { checkout, billingToken } = await paidBy(found.payment)
  if (checkout) return originsOf(checkout)
  return billingToken === null ? [] : billingUpdateOrigins(billingToken)
}

/** The HTTP status of the page, without loading all its data. */
export const paymentStatus = async (token: string): Promise<200 | 404> => ((await find(token)) ? 200 : 404)

const tenantOf = ({ storefrontId }: TestPayment) => ({ storefrontId, testmode: true })

/** Our payment for a payment at the provider, and its purpose: a checkout, or a billing-update link. */
async function paidBy(payment: TestPayment) {
  const tenant = tenantOf(payment)
  const known = await paymentByRef(db(), tenant, payment.ref)
  const purpose = known?.purpose
  const checkout = purpose?.kind === 'sale' ? await findCheckout(db(), tenant, purpose.id) : null
  const billingToken = purpose?.kind === 'verification' ? linkToken('billing', purpose.id) : null
  return { known, checkout, billingToken }
}

/** A payment that the buyer makes on a page: a charge on a mandate has none. */
type OnPage = TestPayment & { locale: Locale; returnUrl: string }

async function find(token: string): Promise<{ payment: OnPage; controls: TestControls } | null> {
  for (const controls of allTestControls()) {
    const payment = await controls.paymentOfLink(token)
    if (payment && isOnPage(payment)) return { payment, controls }
  }
  return null
}

const isOnPage = (payment: TestPayment): payment is OnPage => payment.locale !== null && payment.returnUrl !== null
