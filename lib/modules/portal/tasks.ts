import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Run by `lib/workflows/email-change`. */
export const emailChangeLink = task('portal.email_change_link', z.object({ changeId: z.string() }), { clock: 'real' })

const data = z.object({ key: z.string(), sealedEmail: z.string(), cancels: z.boolean().optional() })

/**
 * Emails the link to the portal. A task sends the email, so that the response time does not reveal whether a customer
 * has the email address. Run by `lib/workflows/portal-sign-in`.
 */
export const emailPortalLink = task('portal.email_link', data, {
  clock: 'real',
})
