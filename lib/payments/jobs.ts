import { job } from '../platform/tasks.ts'
import * as moneyBack from './sandbox/money-back.ts'
import { settle } from './sandbox/provider.ts'
import { endReturn, returnDirectDebit, settleDirectDebit } from './sandbox/tasks.ts'

export const paymentJobs = [
  job(settleDirectDebit, (scope, { ref }) => settle(scope, ref)),
  job(returnDirectDebit, (scope, { ref }) => moneyBack.returnDebit(scope, ref)),
  job(endReturn, (scope, { ref }) => moneyBack.endReturn(scope, ref)),
]
