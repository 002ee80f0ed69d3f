import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

export const syncPayment = task('payment.sync', z.object({ ref: z.string() }))

/** Refunds a payment that arrived after its checkout was abandoned. */
export const returnPayment = task('payment.return', z.object({ paymentId: z.string() }))

export const revokeMandate = task('mandate.revoke', z.object({ mandateId: z.string() }))

export const readMandate = task('mandate.read', z.object({ mandateId: z.string() }))

export const remindOfTransfer = task('payment.remind_of_transfer', z.object({ paymentId: z.string() }))

export const syncChargeback = task('chargeback.sync', z.object({ ref: z.string(), paymentRef: z.string() }))
