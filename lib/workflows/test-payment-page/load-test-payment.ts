import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { amount } from '../../kernel/money.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import { originsOf } from '../../modules/checkouts/form-origins.ts'
import type { TestPaymentPage } from '../../modules/payments/page.ts'
import type { TestPayment } from '../../modules/payments/test-controls.ts'
import { db } from '../../platform/db/db.ts'
import { findUpdate } from '../billing-update/find-update.ts'
import { findTestPayment, paidBy } from './find-payment.ts'

export async function loadTestPayment(token: string): Promise<Loaded<TestPaymentPage>> {
  const found = await findTestPayment(token)
  if (!found) return unknownLink
  const { payment, controls } = found
  const { storefrontName, brand } = await storefrontView(db(), payment.storefrontId)
  const view: TestPaymentPage = {
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
  return { status: 200, view, origins: await shopOf(payment) }
}

async function shopOf(payment: TestPayment): Promise<string[]> {
  const { checkout, billingToken } = await paidBy(payment)
  if (checkout) return originsOf(checkout)
  const update = billingToken === null ? null : await findUpdate(billingToken)
  return update ? originsOf(update.link) : []
}
