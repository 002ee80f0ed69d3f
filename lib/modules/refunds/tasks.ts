import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** The end of the time in which a refund can be canceled. */
export const windowEnd = task('refund.window_end', z.object({ refundId: z.string() }))

/** Sends a refund to the bank. */
export const sendRefund = task('refund.send', z.object({ refundId: z.string() }))
