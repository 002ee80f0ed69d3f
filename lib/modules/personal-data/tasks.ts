import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** The oldest documents that still name an erased customer need not do so any more. */
export const eraseDocuments = task('personal_data.documents', z.object({ customerId: z.string() }))

/**
 * A payment provider is to forget the buyer of an erased customer's payments. In real time: it knows no test clock. Without
 * payments, as before they were written down, it is about all of the customer.
 */
export const forgetAtProvider = task(
  'personal_data.provider',
  z.object({ customerId: z.string(), provider: z.string(), paymentIds: z.array(z.string()).optional() }),
  { clock: 'real' },
)
