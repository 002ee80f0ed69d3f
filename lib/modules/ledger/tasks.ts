import { z } from 'zod'
import { currencies } from '../../kernel/currencies.ts'
import { task } from '../../platform/jobs/tasks.ts'

/**
 * A balance that something waits for has grown. Enqueued with the balance locked; the task begins by locking it too.
 */
export const balanceIncreased = task('ledger.balance_grew', z.object({ currency: z.enum(currencies) }), {
  coalesce: true,
})
