import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** The provider has news of a payment: fetch it and act on it. What a provider's webhook causes. */
export const syncPayment = task('payments.news', z.object({ ref: z.string() }))

/** The provider has news of a chargeback: fetch it and act on it. */
export const syncChargeback = task('payments.chargeback_news', z.object({ ref: z.string() }))
