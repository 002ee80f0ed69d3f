import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** The check of a night (02:00 UTC of a day as 2026-11-20), on real time; each puts the one of the next night. */
export const nightlyCheck = task('invariants.check', z.object({ day: z.string() }), { clock: 'real' })
