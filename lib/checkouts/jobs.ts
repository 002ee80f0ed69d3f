import { syncPayment } from '../payments/tasks.ts'
import { job } from '../platform/tasks.ts'
import { expire } from './close.ts'
import { syncWithProvider } from './hear-news.ts'
import { expireCheckout } from './tasks.ts'

export const checkoutJobs = [
  job(expireCheckout, (tenant, { checkoutId }) => expire(tenant, checkoutId)),
  job(syncPayment, (tenant, { ref }) => syncWithProvider(tenant, ref)),
]
