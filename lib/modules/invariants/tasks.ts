import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

export const nightlyCheck = task('invariants.check', z.object({ day: z.string() }), { clock: 'real' })

export const requestedCheck = task('invariants.check_requested', z.object({}), { clock: 'real' })
