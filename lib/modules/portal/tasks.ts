import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** `lib/workflows/email-change` runs this task. */
export const emailChangeLink = task('portal.email_change_link', z.object({ changeId: z.string() }), { clock: 'real' })

const data = z.object({ key: z.string(), sealedEmail: z.string(), cancels: z.boolean().optional() })

/**
 * Emails the link to the portal. A task sends the email, so that the response time does not reveal whether a customer
 * has the email address. `lib/workflows/portal-sign-in` runs this task.
 */
export const emailPortalLink = task('portal.email_link', data, {
  clock: 'real',
})
