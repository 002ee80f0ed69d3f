import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

export const approveInTestMode = task('catalog.approve_in_test_mode', z.object({ productId: z.string() }), {
  clock: 'real',
})
