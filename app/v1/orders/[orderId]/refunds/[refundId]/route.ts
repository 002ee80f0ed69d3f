import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/refunds/contract.ts'
import * as refunds from '@/lib/refunds/operations.ts'

export const GET = route(contract.getOrderRefund, ({ caller, params }) =>
  refunds.get(caller, params.refundId, params.orderId),
)
export const DELETE = route(contract.cancelRefund, ({ caller, params }) =>
  refunds.cancel(caller, params.orderId, params.refundId),
)
