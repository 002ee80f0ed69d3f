import * as contract from '@/lib/modules/refunds/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as refunds from '@/lib/workflows/refund/operations.ts'

export const GET = route(contract.getOrderRefund, ({ context, params }) =>
  refunds.get(context, params.refundId, params.id),
)
export const DELETE = route(contract.cancelRefund, ({ context, params }) =>
  refunds.cancel(context, params.id, params.refundId),
)
