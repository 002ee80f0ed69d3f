import { job } from '../platform/tasks.ts'
import * as moneyBack from './sandbox/money-back.ts'
import { settle } from './sandbox/provider.ts'
import { endReturn, returnDirectDebit, settleDirectDebit } from './sandbox/tasks.ts'

export const paymentJobs = [
  job(settleDirectDebit, (tenant, { ref }) => settle(tenant, ref)),
  job(returnDirectDebit, (tenant, { ref }) => moneyBack.returnDebit(tenant, ref)),
  job(endReturn, (tenant, { ref }) => moneyBack.endReturn(tenant, ref)),
]
