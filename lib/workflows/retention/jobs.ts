import { job } from '../../platform/jobs/tasks.ts'
import { runRemoval } from './operations.ts'
import { removeOld } from './tasks.ts'

export const retentionJobs = [job(removeOld, runRemoval)]
