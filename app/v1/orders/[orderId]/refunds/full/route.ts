import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/refunds/contract.ts'
import * as refunds from '@/lib/refunds/operations.ts'

export const POST = route(
  contract.createFullRefund,
  ({ caller, params, body }) => refunds.createFull(caller, params.orderId, body),
  { alsoWrong: ({ caller, params }) => refunds.alsoWrong(caller, params.orderId) },
)
