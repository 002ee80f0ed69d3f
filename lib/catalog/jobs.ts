import { job } from '../platform/tasks.ts'
import { approveByItself } from './operations.ts'
import { approveInTestMode } from './tasks.ts'

export const catalogJobs = [job(approveInTestMode, (tenant, { productId }) => approveByItself(tenant, productId))]
