import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Run by `lib/workflows/recovery`. */
export const recoveryStep = task('recovery.step', z.object({ recoveryId: z.string(), stepsDone: z.int() }))
