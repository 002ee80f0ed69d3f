import { checkTaxIdAgain } from '../../modules/tax/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { checkAgain } from './check.ts'

export const taxIdJobs = [job(checkTaxIdAgain, checkAgain)]
