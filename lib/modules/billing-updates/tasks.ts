import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Ends a verification of a payment method without an outcome when the link or the subscription ends. */
export const endVerification = task('billing_update.end_verification', z.object({ orderId: z.string() }))
