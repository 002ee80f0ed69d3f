import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Emails a link to a new address, if nobody else has it. */
export const emailChangeLink = task('portal.email_change_link', z.object({ changeId: z.string() }), { clock: 'real' })

/** With `cancels` the link leads to the subscriptions: who asked wants to cancel one. */
const data = z.object({ key: z.string(), sealedEmail: z.string(), cancels: z.boolean().optional() })

/**
 * Emails a link to whom it was asked for. A task, so that the answer to the request is the same, and as fast, for an
 * address that nobody has. The address is sealed.
 */
export const emailPortalLink = task('portal.email_link', data, {
  clock: 'real',
})
