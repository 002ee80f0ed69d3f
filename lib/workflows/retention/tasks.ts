import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Removes rows that are past their time, in real time. There is one task; each run puts it off until the next. */
export const removeOld = task('retention.remove_old', z.object({}), { clock: 'real' })
