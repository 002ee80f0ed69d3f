import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** `lib/workflows/erasure` runs this task. */
export const eraseDocuments = task('personal_data.documents', z.object({ customerId: z.string() }))

/**
 * Erases the customer from stored responses, including responses about the portal sessions `sessionIds`. The task runs on the real clock,
 * because the times of stored responses are on the real clock. `lib/workflows/erasure` runs this task.
 */
export const eraseResponses = task(
  'personal_data.responses',
  z.object({ customerId: z.string(), sessionIds: z.array(z.string()) }),
  { clock: 'real' },
)

/**
 * Makes a payment provider delete the buyer's data of the payments `paymentIds`. Runs on the real clock, because the provider has no test clock. A task of an
 * older version lists no payments, which means all payments of the customer. `lib/workflows/erasure` runs this task.
 */
export const forgetAtProvider = task(
  'personal_data.provider',
  z.object({ customerId: z.string(), provider: z.string(), paymentIds: z.array(z.string()).optional() }),
  { clock: 'real' },
)
