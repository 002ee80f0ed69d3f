import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'
import { noticeKinds } from './rules/index.ts'

/**
 * The paid period, the trial or the grace period is over at `endsAt` (ISO 8601): the subscription is renewed, or
 * lapses.
 */
export const periodEnd = task('subscription.period_end', z.object({ subscriptionId: z.string(), endsAt: z.string() }))

/** A pending charge on a mandate. */
export const charge = task('subscription.charge', z.object({ paymentId: z.string() }))

/** Whether the charge at `endsAt` (ISO 8601) is within the limits of the provider is to be known days before it. */
export const checkLimits = task(
  'subscription.check_limits',
  z.object({ subscriptionId: z.string(), endsAt: z.string() }),
)

/** The customer of a subscription that was paid for without leaving a payment method is to be asked for one. */
export const askForMissingMethod = task('subscription.ask_for_method', z.object({ subscriptionId: z.string() }))

/** An email is due before the charge at `endsAt` (ISO 8601), unless the subscription has changed. */
export const chargeNotice = task(
  'subscription.charge_notice',
  z.object({ subscriptionId: z.string(), endsAt: z.string(), kind: z.enum(noticeKinds) }),
)
