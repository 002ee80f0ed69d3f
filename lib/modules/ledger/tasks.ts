import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** A balance that something waits for has grown. Written with the balance locked, which is what its running begins with. */
export const balanceIncreased = task('ledger.balance_grew', z.object({ currency: z.enum(['EUR', 'USD']) }), {
  coalesce: true,
})
