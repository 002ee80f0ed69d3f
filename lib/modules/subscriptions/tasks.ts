import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'
import { noticeKinds } from './rules/index.ts'

/** Run by `lib/workflows/renewal`. */
export const periodEnd = task('subscription.period_end', z.object({ subscriptionId: z.string(), endsAt: z.string() }))

/** Asks the provider for a charge. Run by `lib/workflows/collection`. */
export const charge = task('subscription.charge', z.object({ paymentId: z.string() }))

/** Run by `lib/workflows/renewal`. */
export const checkLimits = task(
  'subscription.check_limits',
  z.object({ subscriptionId: z.string(), endsAt: z.string() }),
)

/** Run by `lib/workflows/sale`. */
export const askForMissingMethod = task('subscription.ask_for_method', z.object({ subscriptionId: z.string() }))

/** Run by `lib/workflows/customer-emails`. */
export const chargeNotice = task(
  'subscription.charge_notice',
  z.object({ subscriptionId: z.string(), endsAt: z.string(), kind: z.enum(noticeKinds) }),
)
