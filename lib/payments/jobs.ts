import { job } from '../platform/tasks.ts'
import { settle } from './sandbox/provider.ts'
import { settleDirectDebit } from './sandbox/tasks.ts'

export const paymentJobs = [job(settleDirectDebit, (scope, { ref }) => settle(scope, ref))]
