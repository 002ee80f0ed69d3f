import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Run by `lib/workflows/refund`. */
export const windowEnd = task('refund.window_end', z.object({ refundId: z.string() }))

/** Run by `lib/workflows/refund`. */
export const sendRefund = task('refund.send', z.object({ refundId: z.string() }))
