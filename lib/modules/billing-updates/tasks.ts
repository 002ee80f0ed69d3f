import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * Ends a payment method verification if it has no outcome when its link expires or its subscription ends.
 * `lib/workflows/billing-update` runs this task.
 */
export const endVerification = task('billing_update.end_verification', z.object({ orderId: z.string() }))
