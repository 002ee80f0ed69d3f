import * as contract from '@/lib/modules/refunds/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as refunds from '@/lib/workflows/refund/operations.ts'

export const POST = route(
  contract.createFullRefund,
  ({ context, params, body }) => refunds.createFull(context, params.id, body),
  { validateReferences: ({ context, params }) => refunds.validateReferences(context, params.id) },
)
