import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/refunds/contract.ts'
import * as refunds from '@/lib/refunds/operations.ts'

export const POST = route(
  contract.createFullRefund,
  ({ context, params, body }) => refunds.createFull(context, params.orderId, body),
  { validateReferences: ({ context, params }) => refunds.validateReferences(context, params.orderId) },
)
