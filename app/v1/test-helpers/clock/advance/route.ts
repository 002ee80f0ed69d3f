import { route } from '@/lib/platform/route.ts'
import { tasks } from '@/lib/run/tasks.ts'
import * as contract from '@/lib/testmode/contract.ts'
import * as testmode from '@/lib/testmode/operations.ts'

export const POST = route(contract.advanceClock, ({ caller, body }) => testmode.advance(caller, body, tasks.embedded), {
  alsoWrong: ({ caller, body }) => testmode.wrongMove(caller, body),
})
