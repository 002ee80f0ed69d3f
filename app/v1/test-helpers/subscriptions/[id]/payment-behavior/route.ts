import * as contract from '@/lib/modules/test-helpers/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as testmode from '@/lib/workflows/test-helpers/operations.ts'

export const POST = route(
  contract.setPaymentBehavior,
  ({ context, params, body }) => testmode.setPaymentBehavior(context, params.id, body),
  {
    validateReferences: ({ context, params }) => testmode.validatePaymentBehavior(context, params.id),
  },
)
