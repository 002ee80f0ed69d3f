import { job } from '../platform/tasks.ts'
import { checkAtNight } from './operations.ts'
import { nightlyCheck } from './tasks.ts'

export const invariantJobs = [job(nightlyCheck, checkAtNight)]
