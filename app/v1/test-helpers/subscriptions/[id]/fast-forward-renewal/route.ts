import * as contract from '@/lib/modules/test-helpers/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as testmode from '@/lib/workflows/test-helpers/operations.ts'

export const POST = route(
  contract.fastForwardRenewal,
  ({ context, params, body }) => testmode.fastForward(context, params.id, body),
  {
    validateReferences: ({ context, params, body }) => testmode.validateFastForward(context, params.id, body),
  },
)
