import { z } from 'zod'
import { realNow } from '../../platform/clock/clock.ts'
import { task } from '../../platform/jobs/tasks.ts'

/** In real time, after the response. An advance of the test clock does not wait: it begins with these tasks. */
const helperDelayMs = 2_000

export const soon = (ms = helperDelayMs): Date => new Date(realNow().getTime() + ms)

export const runFastForward = task('testmode.fast_forward', z.object({ id: z.string() }), { clock: 'real' })
export const runSimulation = task('testmode.simulate', z.object({ id: z.string() }), { clock: 'real' })

/** These requests come before everything that an advance makes due, which would have another result otherwise. */
export const beforeAdvance: readonly string[] = [runFastForward.name, runSimulation.name]
