import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

export const eraseDocuments = task('personal_data.documents', z.object({ customerId: z.string() }))

/** A response about a portal session names only the session. In real time, like the stored responses. */
export const eraseResponses = task(
  'personal_data.responses',
  z.object({ customerId: z.string(), sessionIds: z.array(z.string()) }),
  { clock: 'real' },
)

/**
 * Makes a payment provider forget the buyer of these payments. In real time: the provider knows no test clock. Older
 * tasks list no payments and mean all payments of the customer.
 */
export const forgetAtProvider = task(
  'personal_data.provider',
  z.object({ customerId: z.string(), provider: z.string(), paymentIds: z.array(z.string()).optional() }),
  { clock: 'real' },
)
