import { z } from 'zod'
import { currencies } from '../../kernel/currencies.ts'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * Processes the refunds that wait for a balance. This task and the transaction that enqueues it both lock the balance,
 * so that no increase is missed. `lib/workflows/refund` runs this task.
 */
export const balanceIncreased = task('ledger.balance_grew', z.object({ currency: z.enum(currencies) }), {
  coalesce: true,
})
