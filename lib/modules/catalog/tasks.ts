import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Test mode's review: an operator who approves everything within seconds (real ones). */
export const approveInTestMode = task('catalog.approve_in_test_mode', z.object({ productId: z.string() }), {
  clock: 'real',
})
