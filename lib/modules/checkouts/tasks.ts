import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** `lib/workflows/sale` runs this task. */
export const expireCheckout = task('checkout.expire', z.object({ checkoutId: z.string() }), {
  concurrent: true,
})
