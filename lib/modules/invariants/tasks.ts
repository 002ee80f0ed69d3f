import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** The nightly check (02:00 UTC of a day as 2026-11-20), in real time; each run enqueues the next night's. */
export const nightlyCheck = task('invariants.check', z.object({ day: z.string() }), { clock: 'real' })

/** A check that somebody asked for; asked for again before it has run, it is run once. */
export const requestedCheck = task('invariants.check_requested', z.object({}), { clock: 'real' })
