import { applyVerificationUpdate } from '../billing-update/verify.ts'
import type { PagePayments } from '../collection/apply-payment-update.ts'
import { salePayment } from '../sale/apply-sale-update.ts'

/** A notice does not state the purpose of its payment, so the handlers of all purposes are listed. */
export const pagePayments: PagePayments = {
  sale: salePayment,
  verification: { apply: applyVerificationUpdate },
}
