import { job } from '../../platform/jobs/tasks.ts'
import { autoApprove } from './operations.ts'
import { approveInTestMode } from './tasks.ts'

export const catalogJobs = [job(approveInTestMode, (tenant, { productId }) => autoApprove(tenant, productId))]
