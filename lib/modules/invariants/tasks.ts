import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** At 02:00 UTC of a day as 2026-11-20, in real time. Each run enqueues the next night's task. */
export const nightlyCheck = task('invariants.check', z.object({ day: z.string() }), { clock: 'real' })

/** Several requests before the run cause one run. */
export const requestedCheck = task('invariants.check_requested', z.object({}), { clock: 'real' })
