import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/refunds/contract.ts'
import * as refunds from '@/lib/refunds/operations.ts'

export const GET = route(contract.getOrderRefund, ({ context, params }) =>
  refunds.get(context, params.refundId, params.orderId),
)
export const DELETE = route(contract.cancelRefund, ({ context, params }) =>
  refunds.cancel(context, params.orderId, params.refundId),
)
