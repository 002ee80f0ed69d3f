import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Runs on the real clock. Only one task of this kind exists, and each run reschedules it. */
export const removeOld = task('retention.remove_old', z.object({}), { clock: 'real' })
