import { checkTaxIdLater } from '../../modules/tax/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { askAgain } from './check.ts'

export const taxIdJobs = [job(checkTaxIdLater, askAgain)]
