import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * Emails the link for a new password. A task sends the email, so that the response time does not reveal whether an
 * account has the email address. `lib/workflows/password-reset` runs this task.
 */
export const emailPasswordLink = task(
  'operator.email_password_link',
  z.object({ key: z.string(), sealedEmail: z.string() }),
  { clock: 'real' },
)

/** A task writes the audit log entry, so that the response time does not reveal whether an account has the email address. */
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
