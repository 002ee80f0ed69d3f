import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** `lib/workflows/chargeback` runs this task. */
export const sendAnswer = task('chargeback.send_answer', z.object({ chargebackId: z.string() }))

/** `lib/workflows/chargeback` runs this task. */
export const sendDecision = task(
  'chargeback.send_decision',
  z.object({ ref: z.string(), to: z.enum(['accepted', 'rejected']) }),
)
