import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Follows `stepsDone` completed steps. */
export const recoveryStep = task('recovery.step', z.object({ recoveryId: z.string(), stepsDone: z.int() }))
