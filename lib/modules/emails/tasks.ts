import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** The task runs on the real clock, because a mail server has no test clock. Advancing the test clock does not wait for emails. */
export const sendEmail = task('email.send', z.object({ mailId: z.string() }), { clock: 'real', queue: 'email' })
