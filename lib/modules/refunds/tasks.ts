import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** `lib/workflows/refund` runs this task. */
export const windowEnd = task('refund.window_end', z.object({ refundId: z.string() }))

/** `lib/workflows/refund` runs this task. */
export const sendRefund = task('refund.send', z.object({ refundId: z.string() }))
