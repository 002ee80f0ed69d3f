import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/testmode/contract.ts'
import * as testmode from '@/lib/testmode/operations.ts'

export const POST = route(
  contract.fastForwardRenewal,
  ({ context, params, body }) => testmode.fastForward(context, params.subscriptionId, body),
  {
    validateReferences: ({ context, params, body }) =>
      testmode.validateFastForward(context, params.subscriptionId, body),
  },
)
