import { catalogJobs } from '../modules/catalog/jobs.ts'
import { emailJobs } from '../modules/emails/jobs.ts'
import { figureJobs } from '../modules/figures/jobs.ts'
import { invariantJobs } from '../modules/invariants/jobs.ts'
import { operatorJobs } from '../modules/operators/jobs.ts'
import { payoutJobs } from '../modules/payouts/jobs.ts'
import { webhookJobs } from '../modules/webhooks/jobs.ts'
import { type Functions, inngestFunctions } from '../platform/jobs/inngest.ts'
import { providerJobs } from '../providers/index.ts'
import { billingUpdateJobs } from '../workflows/billing-update/jobs.ts'
import { chargebackJobs } from '../workflows/chargeback/jobs.ts'
import { collectionJobs } from '../workflows/collection/jobs.ts'
import { customerEmailJobs } from '../workflows/customer-emails/jobs.ts'
import { emailChangeJobs } from '../workflows/email-change/jobs.ts'
import { erasureJobs } from '../workflows/erasure/jobs.ts'
import { mandateJobs } from '../workflows/mandates/jobs.ts'
import { passwordResetJobs } from '../workflows/password-reset/jobs.ts'
import { portalJobs } from '../workflows/portal-sign-in/jobs.ts'
import { noticeJobs } from '../workflows/provider-notices/jobs.ts'
import { recoveryJobs } from '../workflows/recovery/jobs.ts'
import { refundJobs } from '../workflows/refund/jobs.ts'
import { renewalJobs } from '../workflows/renewal/jobs.ts'
import { retentionJobs } from '../workflows/retention/jobs.ts'
import { checkoutJobs } from '../workflows/sale/jobs.ts'
import { taxIdJobs } from '../workflows/tax-ids/jobs.ts'
import { testHelperJobs } from '../workflows/test-helpers/jobs.ts'

export const jobs = [
  ...catalogJobs,
  ...checkoutJobs,
  ...noticeJobs,
  ...billingUpdateJobs,
  ...providerJobs,
  ...renewalJobs,
  ...collectionJobs,
  ...mandateJobs,
  ...recoveryJobs,
  ...refundJobs,
  ...chargebackJobs,
  ...emailJobs,
  ...customerEmailJobs,
  ...portalJobs,
  ...emailChangeJobs,
  ...operatorJobs,
  ...passwordResetJobs,
  ...webhookJobs,
  ...testHelperJobs,
  ...taxIdJobs,
  ...erasureJobs,
  ...retentionJobs,
  ...invariantJobs,
  ...figureJobs,
  ...payoutJobs,
]

let made: Functions | undefined
const functions = (): Functions => {
  made ??= inngestFunctions(jobs)
  return made
}

/** The runners are created on first use, because the build imports this file without a configuration. */
export const tasks = {
  get runner() {
    return functions().runner
  },
  get embedded() {
    return functions().embedded
  },
  handler: (request: Request): Promise<Response> => functions().handler(request),
}
