import { applyVerificationUpdate } from '../billing-update/verify.ts'
import type { PagePayments } from '../collection/apply-payment-update.ts'
import { salePayment } from '../sale/apply-sale-update.ts'

/** All purposes of a payment on a page, because a notice does not state the purpose. */
export const pagePayments: PagePayments = {
  sale: salePayment,
  verification: { apply: applyVerificationUpdate },
}
