import { job } from '../../platform/jobs/tasks.ts'
import { checkAtNight } from './operations.ts'
import { nightlyCheck } from './tasks.ts'

export const invariantJobs = [job(nightlyCheck, checkAtNight)]
