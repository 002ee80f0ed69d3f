import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/refunds/contract.ts'
import * as refunds from '@/lib/refunds/operations.ts'

export const GET = route(contract.listOrderRefunds, ({ caller, params, query, url }) =>
  refunds.list(caller, query, url, params.orderId),
)
export const POST = route(
  contract.createRefund,
  ({ caller, params, body }) => refunds.create(caller, params.orderId, body),
  { alsoWrong: ({ caller, params, body }) => refunds.alsoWrong(caller, params.orderId, body.items) },
)
