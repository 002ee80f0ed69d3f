import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** `lib/workflows/recovery` runs this task. */
export const recoveryStep = task('recovery.step', z.object({ recoveryId: z.string(), stepsDone: z.int() }))
