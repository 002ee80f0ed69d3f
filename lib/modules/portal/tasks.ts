import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Sends no email if another customer has the address. */
export const emailChangeLink = task('portal.email_change_link', z.object({ changeId: z.string() }), { clock: 'real' })

/** `cancels`: the customer wants to cancel, so the link leads to the subscriptions. */
const data = z.object({ key: z.string(), sealedEmail: z.string(), cancels: z.boolean().optional() })

/** A task hides from the response whether the address has a customer. The address is encrypted. */
export const emailPortalLink = task('portal.email_link', data, {
  clock: 'real',
})
