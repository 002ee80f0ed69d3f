import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** In real time. Only one task exists; each run postpones it to the next run. */
export const removeOld = task('retention.remove_old', z.object({}), { clock: 'real' })
