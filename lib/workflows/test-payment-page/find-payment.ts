import type { Locale } from '../../kernel/locale.ts'
import { findCheckout } from '../../modules/checkouts/store.ts'
import { paymentByRef } from '../../modules/payments/store.ts'
import type { TestControls, TestPayment } from '../../modules/payments/test-controls.ts'
import { linkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { allTestControls } from '../../providers/index.ts'

export const tenantOf = ({ storefrontId }: TestPayment) => ({ storefrontId, testmode: true })

export async function paidBy(payment: TestPayment) {
  const tenant = tenantOf(payment)
  const known = await paymentByRef(db(), tenant, payment.ref)
  const purpose = known?.purpose
  const checkout = purpose?.kind === 'sale' ? await findCheckout(db(), tenant, purpose.id) : null
  const billingToken = purpose?.kind === 'verification' ? linkToken('billing', purpose.id) : null
  return { known, checkout, billingToken }
}

/**
 * A payment that the buyer makes on the test payment page. A charge on a mandate has no page, so its `locale` or
 * `returnUrl` is null.
 */
type OnPage = TestPayment & { locale: Locale; returnUrl: string }

export async function findTestPayment(token: string): Promise<{ payment: OnPage; controls: TestControls } | null> {
  for (const controls of allTestControls()) {
    const payment = await controls.paymentOfLink(token)
    if (payment && isOnPage(payment)) return { payment, controls }
  }
  return null
}

const isOnPage = (payment: TestPayment): payment is OnPage => payment.locale !== null && payment.returnUrl !== null
