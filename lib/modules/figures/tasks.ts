import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** In real time. Only one task exists, and each run reschedules it. */
export const closeDays = task('figures.close_days', z.object({}), { clock: 'real' })
