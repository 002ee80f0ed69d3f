import { runFastForward, runSimulation } from '../../modules/test-helpers/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { fastForwardNow } from './fast-forward.ts'
import { simulateNow } from './simulate.ts'

export const testHelperJobs = [job(runFastForward, fastForwardNow), job(runSimulation, simulateNow)]
