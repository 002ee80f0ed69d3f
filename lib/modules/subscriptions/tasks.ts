import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'
import { noticeKinds } from './rules/index.ts'

/** `endsAt` is ISO 8601. The subscription is renewed, or ends. */
export const periodEnd = task('subscription.period_end', z.object({ subscriptionId: z.string(), endsAt: z.string() }))

export const charge = task('subscription.charge', z.object({ paymentId: z.string() }))

/** Days before the charge at `endsAt` (ISO 8601). */
export const checkLimits = task(
  'subscription.check_limits',
  z.object({ subscriptionId: z.string(), endsAt: z.string() }),
)

export const askForMissingMethod = task('subscription.ask_for_method', z.object({ subscriptionId: z.string() }))

/** Before the charge at `endsAt` (ISO 8601), unless the subscription has changed. */
export const chargeNotice = task(
  'subscription.charge_notice',
  z.object({ subscriptionId: z.string(), endsAt: z.string(), kind: z.enum(noticeKinds) }),
)
