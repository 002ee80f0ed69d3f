import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** In real time: a mail server's response does not depend on a test clock, and no advance waits for it. */
export const sendEmail = task('email.send', z.object({ mailId: z.string() }), { clock: 'real', queue: 'email' })
