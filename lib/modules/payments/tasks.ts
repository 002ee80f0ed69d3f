import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** The provider has an update of a payment: fetch and apply it. A provider's webhook enqueues this task. */
export const syncPayment = task('payment.sync', z.object({ ref: z.string() }))

/** Sends the money of a payment back that was given up before the buyer paid it. */
export const returnPayment = task('payment.return', z.object({ paymentId: z.string() }))

/** Revokes a mandate at its provider that nothing uses any more. */
export const revokeMandate = task('mandate.revoke', z.object({ mandateId: z.string() }))

/** Reads a mandate again that was pending at its sale. */
export const readMandate = task('mandate.read', z.object({ mandateId: z.string() }))

/** Reminds the buyer of a bank transfer that has not arrived. */
export const remindOfTransfer = task('payment.remind_of_transfer', z.object({ paymentId: z.string() }))

/** The provider has an update of a chargeback of a payment: fetch and apply it. */
export const syncChargeback = task('chargeback.sync', z.object({ ref: z.string(), paymentRef: z.string() }))
