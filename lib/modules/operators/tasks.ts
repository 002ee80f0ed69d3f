import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * Emails a password reset link. The email is sent by a task, so that the response and its time do not reveal whether the
 * address has an account. The address is encrypted.
 */
export const emailPasswordLink = task(
  'operator.email_password_link',
  z.object({ key: z.string(), sealedEmail: z.string() }),
  { clock: 'real' },
)

/**
 * Writes the audit log entry of a lock after wrong passwords. A task does so, because the time of the response must not
 * reveal whether the address has an account.
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
