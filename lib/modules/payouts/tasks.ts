import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Requests the released balance at the time of a storefront's schedule. */
export const scheduledPayout = task('payout.scheduled', z.object({ at: z.string() }))
