import { job } from '../../platform/jobs/tasks.ts'
import * as moneyBack from './money-back.ts'
import { payDirectDebit } from './provider.ts'
import { endReturn, returnDirectDebit, settleDirectDebit } from './tasks.ts'

export const sandboxJobs = [
  job(settleDirectDebit, (tenant, { ref }) => payDirectDebit(tenant, ref)),
  job(returnDirectDebit, (tenant, { ref }) => moneyBack.returnDebit(tenant, ref)),
  job(endReturn, (tenant, { ref }) => moneyBack.endReturn(tenant, ref)),
]
