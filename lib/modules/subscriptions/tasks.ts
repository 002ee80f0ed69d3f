import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'
import { noticeKinds } from './rules/index.ts'

export const periodEnd = task('subscription.period_end', z.object({ subscriptionId: z.string(), endsAt: z.string() }))

export const charge = task('subscription.charge', z.object({ paymentId: z.string() }))

export const checkLimits = task(
  'subscription.check_limits',
  z.object({ subscriptionId: z.string(), endsAt: z.string() }),
)

export const askForMissingMethod = task('subscription.ask_for_method', z.object({ subscriptionId: z.string() }))

export const chargeNotice = task(
  'subscription.charge_notice',
  z.object({ subscriptionId: z.string(), endsAt: z.string(), kind: z.enum(noticeKinds) }),
)
