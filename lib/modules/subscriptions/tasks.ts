import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** What is paid, or the trial, or the grace period, is over at `endsAt` (ISO 8601): renewed, or lapsed. */
export const periodEnd = task('subscription.period_end', z.object({ subscriptionId: z.string(), endsAt: z.string() }))

/** A charge on a mandate that was decided on. */
export const charge = task('subscription.charge', z.object({ paymentId: z.string() }))
