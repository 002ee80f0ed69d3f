import { z } from 'zod'
import { task } from '../../platform/tasks.ts'

/** The bank's answer to a direct debit. */
export const settleDirectDebit = task('sandbox.settle_direct_debit', z.object({ ref: z.string() }))
