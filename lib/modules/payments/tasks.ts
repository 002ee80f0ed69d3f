import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Fetches and applies a provider's update of a payment. A provider's webhook enqueues this task. */
export const syncPayment = task('payment.sync', z.object({ ref: z.string() }))

/** Returns the money of a payment that was abandoned before the buyer paid. */
export const returnPayment = task('payment.return', z.object({ paymentId: z.string() }))

/** Revokes an unused mandate at its provider. */
export const revokeMandate = task('mandate.revoke', z.object({ mandateId: z.string() }))

/** Fetches a mandate that was pending at its sale. */
export const readMandate = task('mandate.read', z.object({ mandateId: z.string() }))

/** Reminds the buyer of a bank transfer that has not arrived. */
export const remindOfTransfer = task('payment.remind_of_transfer', z.object({ paymentId: z.string() }))

/** Fetches and applies a provider's update of a payment's chargeback. */
export const syncChargeback = task('chargeback.sync', z.object({ ref: z.string(), paymentRef: z.string() }))
