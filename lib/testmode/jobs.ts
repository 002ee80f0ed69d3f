import { job } from '../platform/tasks.ts'
import { fastForwardNow } from './fast-forward.ts'
import { simulateNow } from './simulate.ts'
import { runFastForward, runSimulation } from './tasks.ts'

export const testHelperJobs = [job(runFastForward, fastForwardNow), job(runSimulation, simulateNow)]
