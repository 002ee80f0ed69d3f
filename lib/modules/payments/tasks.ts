import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** The provider has an update of a payment: fetch and apply it. A provider's webhook enqueues this task. */
export const syncPayment = task('payment.sync', z.object({ ref: z.string() }))

/** The provider has an update of a chargeback of a payment: fetch and apply it. */
export const syncChargeback = task('chargeback.sync', z.object({ ref: z.string(), paymentRef: z.string() }))
