import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Emails a link to a new address, if nobody else has it. */
export const emailChangeLink = task('portal.email_change_link', z.object({ changeId: z.string() }), { clock: 'real' })

/** `cancels`: the customer wants to cancel, so the link leads to the subscriptions. */
const data = z.object({ key: z.string(), sealedEmail: z.string(), cancels: z.boolean().optional() })

/**
 * Emails a portal link. A task sends the email, so that the response and its time do not reveal whether the address has a customer.
 * The address is encrypted.
 */
export const emailPortalLink = task('portal.email_link', data, {
  clock: 'real',
})
