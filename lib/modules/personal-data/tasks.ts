import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** The oldest documents that still name an erased customer need not do so any more. */
export const eraseDocuments = task('personal_data.documents', z.object({ customerId: z.string() }))

/**
 * Stored responses to calls with an idempotency key are not to name an erased customer any more. The response about a portal
 * session names the session alone. In real time, as responses are kept.
 */
export const eraseResponses = task(
  'personal_data.responses',
  z.object({ customerId: z.string(), sessionIds: z.array(z.string()) }),
  { clock: 'real' },
)

/**
 * A payment provider is to forget the buyer of an erased customer's payments. In real time: it knows no test clock. Without
 * payments, as before they were written down, it is about all of the customer.
 */
export const forgetAtProvider = task(
  'personal_data.provider',
  z.object({ customerId: z.string(), provider: z.string(), paymentIds: z.array(z.string()).optional() }),
  { clock: 'real' },
)
