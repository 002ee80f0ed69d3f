import { z } from 'zod'
import { realNow } from '../../platform/clock/clock.ts'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * The helpers respond at once and act a few seconds later, in real time: an advance of the test clock does not affect
 * these delays.
 */
const helperDelayMs = 2_000

export const soon = (ms = helperDelayMs): Date => new Date(realNow().getTime() + ms)

export const runFastForward = task('testmode.fast_forward', z.object({ id: z.string() }), { clock: 'real' })
export const runSimulation = task('testmode.simulate', z.object({ id: z.string() }), { clock: 'real' })
