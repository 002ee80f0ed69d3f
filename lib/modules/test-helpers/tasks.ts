import { z } from 'zod'
import { realNow } from '../../platform/clock/clock.ts'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * The helpers respond at once and act a few seconds later, in real time. An advance of the test clock does not wait for that:
 * it begins with them.
 */
const helperDelayMs = 2_000

export const soon = (ms = helperDelayMs): Date => new Date(realNow().getTime() + ms)

export const runFastForward = task('testmode.fast_forward', z.object({ id: z.string() }), { clock: 'real' })
export const runSimulation = task('testmode.simulate', z.object({ id: z.string() }), { clock: 'real' })

/** What a helper was asked for before an advance comes before anything that the advance makes due: it would decide otherwise. */
export const beforeAdvance: readonly string[] = [runFastForward.name, runSimulation.name]
