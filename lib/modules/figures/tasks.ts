import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** The task runs on the real clock. Only one such task exists, and each run reschedules it. */
export const closeDays = task('figures.close_days', z.object({}), { clock: 'real' })
