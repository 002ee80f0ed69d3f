import { z } from 'zod'
import { realNow } from '../../platform/clock/clock.ts'
import { task } from '../../platform/jobs/tasks.ts'

/** The delay before a test helper runs, in milliseconds of real time. An advance of the test clock runs the test helpers first, without the delay. */
const helperDelayMs = 2_000

export const soon = (ms = helperDelayMs): Date => new Date(realNow().getTime() + ms)

/** `lib/workflows/test-helpers` runs this task. */
export const runFastForward = task('testmode.fast_forward', z.object({ id: z.string() }), { clock: 'real' })

/** `lib/workflows/test-helpers` runs this task. */
export const runSimulation = task('testmode.simulate', z.object({ id: z.string() }), { clock: 'real' })

/** An advance of the test clock runs these tasks first, because they can change the results of the tasks that follow. */
export const beforeAdvance: readonly string[] = [runFastForward.name, runSimulation.name]
