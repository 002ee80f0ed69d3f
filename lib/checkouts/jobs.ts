import { paymentNews } from '../payments/tasks.ts'
import { job } from '../platform/tasks.ts'
import { expire } from './close.ts'
import { hearNews } from './hear-news.ts'
import { expireCheckout } from './tasks.ts'

export const checkoutJobs = [
  job(expireCheckout, (scope, { checkoutId }) => expire(scope, checkoutId)),
  job(paymentNews, (scope, { ref }) => hearNews(scope, ref)),
]
