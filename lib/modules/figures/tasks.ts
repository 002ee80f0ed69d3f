import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Closes the days of storefronts that are over, in real time. Only one task exists; each run postpones it to the next run. */
export const closeDays = task('figures.close_days', z.object({}), { clock: 'real' })
