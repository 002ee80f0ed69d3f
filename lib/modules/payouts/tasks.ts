import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

export const scheduledPayout = task('payout.scheduled', z.object({ at: z.string() }))
