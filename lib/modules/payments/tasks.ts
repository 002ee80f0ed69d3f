import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Run by `lib/workflows/provider-notices`. */
export const syncPayment = task('payment.sync', z.object({ ref: z.string() }))

/** Refunds a payment that arrived after its checkout was abandoned. Run by `lib/workflows/sale`. */
export const returnPayment = task('payment.return', z.object({ paymentId: z.string() }))

/** Run by `lib/workflows/mandates`. */
export const revokeMandate = task('mandate.revoke', z.object({ mandateId: z.string() }))

/** Run by `lib/workflows/mandates`. */
export const readMandate = task('mandate.read', z.object({ mandateId: z.string() }))

/** Run by `lib/workflows/customer-emails`. */
export const remindOfTransfer = task('payment.remind_of_transfer', z.object({ paymentId: z.string() }))

/** Run by `lib/workflows/chargeback`. */
export const syncChargeback = task('chargeback.sync', z.object({ ref: z.string(), paymentRef: z.string() }))
