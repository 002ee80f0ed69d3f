import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

export const windowEnd = task('refund.window_end', z.object({ refundId: z.string() }))

export const sendRefund = task('refund.send', z.object({ refundId: z.string() }))
