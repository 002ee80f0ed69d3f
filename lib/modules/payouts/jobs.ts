import { job } from '../../platform/jobs/tasks.ts'
import { runSchedule } from './schedule.ts'
import { scheduledPayout } from './tasks.ts'

export const payoutJobs = [job(scheduledPayout, runSchedule)]
