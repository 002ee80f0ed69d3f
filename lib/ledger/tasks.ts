import { z } from 'zod'
import { task } from '../platform/tasks.ts'

/** A balance that something waits for has grown. */
export const balanceGrew = task('ledger.balance_grew', z.object({ currency: z.enum(['EUR', 'USD']) }))
