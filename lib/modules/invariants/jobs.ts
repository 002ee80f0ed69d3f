import { job } from '../../platform/jobs/tasks.ts'
import { checkAtNight, checkRequested } from './operations.ts'
import { nightlyCheck, requestedCheck } from './tasks.ts'

export const invariantJobs = [job(nightlyCheck, checkAtNight), job(requestedCheck, checkRequested)]
