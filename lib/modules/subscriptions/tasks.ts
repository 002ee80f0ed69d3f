import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'
import { noticeKinds } from './rules/index.ts'

/** `lib/workflows/renewal` runs this task. */
export const periodEnd = task('subscription.period_end', z.object({ subscriptionId: z.string(), endsAt: z.string() }))

/** Asks the provider for a charge. `lib/workflows/collection` runs this task. */
export const chargePayment = task('subscription.charge', z.object({ paymentId: z.string() }))

/** `lib/workflows/renewal` runs this task. */
export const checkLimits = task(
  'subscription.check_limits',
  z.object({ subscriptionId: z.string(), endsAt: z.string() }),
)

/** `lib/workflows/sale` runs this task. */
export const askForMissingMethod = task('subscription.ask_for_method', z.object({ subscriptionId: z.string() }))

/** `lib/workflows/customer-emails` runs this task. */
export const chargeNotice = task(
  'subscription.charge_notice',
  z.object({ subscriptionId: z.string(), endsAt: z.string(), kind: z.enum(noticeKinds) }),
)
