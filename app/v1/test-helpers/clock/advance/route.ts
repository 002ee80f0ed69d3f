import { route } from '@/lib/platform/route.ts'
import { tasks } from '@/lib/run/tasks.ts'
import * as contract from '@/lib/testmode/contract.ts'
import * as testmode from '@/lib/testmode/operations.ts'

export const POST = route(
  contract.advanceClock,
  ({ context, body }) => testmode.advanceByDuration(context, body, tasks.embedded),
  {
    validateReferences: ({ context, body }) => testmode.validateAdvance(context, body),
  },
)
