import { syncPayment } from '../../modules/payments/tasks.ts'
import { job } from '../../platform/jobs/tasks.ts'
import { syncWithProvider } from '../collection/sync-payment.ts'
import { pagePayments } from './page-payments.ts'

export const noticeJobs = [job(syncPayment, (tenant, { ref }) => syncWithProvider(tenant, ref, pagePayments))]
