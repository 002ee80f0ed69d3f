import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** The step of a recovery's schedule that follows `stepsDone` completed ones. */
export const recoveryStep = task('recovery.step', z.object({ recoveryId: z.string(), stepsDone: z.int() }))
