import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** `lib/workflows/provider-notices` runs this task. */
export const syncPayment = task('payment.sync', z.object({ ref: z.string() }))

/** Refunds a payment that arrived after its checkout was abandoned. `lib/workflows/sale` runs this task. */
export const returnPayment = task('payment.return', z.object({ paymentId: z.string() }))

/** `lib/workflows/mandates` runs this task. */
export const revokeMandate = task('mandate.revoke', z.object({ mandateId: z.string() }))

/** `lib/workflows/mandates` runs this task. */
export const readMandate = task('mandate.read', z.object({ mandateId: z.string() }))

/** `lib/workflows/customer-emails` runs this task. */
export const remindOfTransfer = task('payment.remind_of_transfer', z.object({ paymentId: z.string() }))

/** `lib/workflows/chargeback` runs this task. */
export const syncChargeback = task('chargeback.sync', z.object({ ref: z.string(), paymentRef: z.string() }))
