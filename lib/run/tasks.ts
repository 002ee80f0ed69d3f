import { billingUpdateJobs } from '../billing/jobs.ts'
import { catalogJobs } from '../catalog/jobs.ts'
import { chargebackJobs } from '../chargebacks/jobs.ts'
import { checkoutJobs } from '../checkouts/jobs.ts'
import { invariantJobs } from '../invariants/jobs.ts'
import { emailJobs } from '../mails/jobs.ts'
import { paymentJobs } from '../payments/jobs.ts'
import { type Functions, inngestFunctions } from '../platform/inngest.ts'
import { recoveryJobs } from '../recovery/jobs.ts'
import { refundJobs } from '../refunds/jobs.ts'
import { subscriptionJobs } from '../subscriptions/jobs.ts'
import { testHelperJobs } from '../testmode/jobs.ts'
import { webhookJobs } from '../webhooks/jobs.ts'

/** Everything that happens later. */
export const jobs = [
  ...catalogJobs,
  ...checkoutJobs,
  ...billingUpdateJobs,
  ...paymentJobs,
  ...subscriptionJobs,
  ...recoveryJobs,
  ...refundJobs,
  ...chargebackJobs,
  ...emailJobs,
  ...webhookJobs,
  ...testHelperJobs,
  ...invariantJobs,
]

let made: Functions | undefined
const functions = (): Functions => {
  made ??= inngestFunctions(jobs)
  return made
}

/** Made at first use: a build reads this file without a configuration. */
export const tasks = {
  get runner() {
    return functions().runner
  },
  get embedded() {
    return functions().embedded
  },
  handler: (request: Request): Promise<Response> => functions().handler(request),
}
