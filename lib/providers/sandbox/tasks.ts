import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

export const settleDirectDebit = task('sandbox.settle_direct_debit', z.object({ ref: z.string() }), {
  concurrent: true,
})

export const returnDirectDebit = task('sandbox.return_direct_debit', z.object({ ref: z.string() }))

export const endReturn = task('sandbox.end_return', z.object({ ref: z.string() }))
