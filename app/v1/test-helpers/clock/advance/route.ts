import * as contract from '@/lib/modules/test-helpers/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import { tasks } from '@/lib/server/jobs.ts'
import * as testmode from '@/lib/workflows/test-helpers/operations.ts'

export const POST = route(
  contract.advanceClock,
  ({ context, body }) => testmode.advanceByDuration(context, body, tasks.embedded),
  {
    validateReferences: ({ context, body }) => testmode.validateAdvance(context, body),
  },
)
