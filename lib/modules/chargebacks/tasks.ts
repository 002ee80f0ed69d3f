import { z } from 'zod'
import { task } from '../../platform/jobs/tasks.ts'

/** Sends the provider a merchant's answer to a dispute. */
export const sendAnswer = task('chargeback.send_answer', z.object({ chargebackId: z.string() }))

/** Sends the provider an operator's decision on a dispute over more than was sold. */
export const sendDecision = task(
  'chargeback.send_decision',
  z.object({ ref: z.string(), to: z.enum(['accepted', 'rejected']) }),
)
