import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * Emails a link to whom it was asked for. A task, so that the answer to the request is the same, and as fast, for an
 * address that nobody has. The address is sealed.
 */
export const emailPasswordLink = task(
  'operator.email_password_link',
  z.object({ key: z.string(), sealedEmail: z.string() }),
  { clock: 'real' },
)

/**
 * Writes the entry of a lock after wrong passwords. A task for the same reason: most tried addresses have no account.
 */
export const recordPasswordLock = task(
  'operator.record_password_lock',
  z.object({
    key: z.string(),
    sealedEmail: z.string(),
    address: z.string(),
    failedLogins: z.number(),
    lockedUntil: z.string(),
  }),
  { clock: 'real' },
)
