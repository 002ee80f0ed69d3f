import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'
import { noticeKinds } from './rules/index.ts'

/** The paid period, trial, or grace period ends at `endsAt` (ISO 8601): the subscription is renewed, or ends. */
export const periodEnd = task('subscription.period_end', z.object({ subscriptionId: z.string(), endsAt: z.string() }))

/** A pending charge on a mandate. */
export const charge = task('subscription.charge', z.object({ paymentId: z.string() }))

/** Checks days before the charge at `endsAt` (ISO 8601) whether it is within the limits of the provider. */
export const checkLimits = task(
  'subscription.check_limits',
  z.object({ subscriptionId: z.string(), endsAt: z.string() }),
)

/** Asks a customer for a payment method if a paid sale left none. */
export const askForMissingMethod = task('subscription.ask_for_method', z.object({ subscriptionId: z.string() }))

/** Sends an email before the charge at `endsAt` (ISO 8601), unless the subscription has changed. */
export const chargeNotice = task(
  'subscription.charge_notice',
  z.object({ subscriptionId: z.string(), endsAt: z.string(), kind: z.enum(noticeKinds) }),
)
