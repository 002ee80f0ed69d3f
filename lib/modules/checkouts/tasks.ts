import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Run by `lib/workflows/sale`. */
export const expireCheckout = task('checkout.expire', z.object({ checkoutId: z.string() }), {
  concurrent: true,
})
