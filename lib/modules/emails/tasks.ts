import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** On real time: a mail server answers when it answers, and no moved clock waits for it. */
export const sendEmail = task('email.send', z.object({ mailId: z.string() }), { clock: 'real', queue: 'email' })
