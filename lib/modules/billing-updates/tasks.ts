import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** A verification of a payment method without an outcome ends: with the link that it was made by, or with its subscription. */
export const endVerification = task('billing_update.end_verification', z.object({ orderId: z.string() }))
