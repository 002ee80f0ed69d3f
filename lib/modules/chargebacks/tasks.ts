import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Run by `lib/workflows/chargeback`. */
export const sendAnswer = task('chargeback.send_answer', z.object({ chargebackId: z.string() }))

/** Run by `lib/workflows/chargeback`. */
export const sendDecision = task(
  'chargeback.send_decision',
  z.object({ ref: z.string(), to: z.enum(['accepted', 'rejected']) }),
)
