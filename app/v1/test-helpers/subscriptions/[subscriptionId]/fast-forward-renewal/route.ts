import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/testmode/contract.ts'
import * as testmode from '@/lib/testmode/operations.ts'

export const POST = route(
  contract.fastForwardRenewal,
  ({ caller, params, body }) => testmode.fastForward(caller, params.subscriptionId, body),
  { alsoWrong: ({ caller, params, body }) => testmode.wrongFastForward(caller, params.subscriptionId, body) },
)
