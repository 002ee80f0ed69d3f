import * as contract from '@/lib/modules/refunds/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as refunds from '@/lib/workflows/refund/operations.ts'

export const GET = route(contract.listOrderRefunds, ({ context, params, query, url }) =>
  refunds.list(context, query, url, params.id),
)
export const POST = route(
  contract.createRefund,
  ({ context, params, body }) => refunds.create(context, params.id, body),
  {
    validateReferences: ({ context, params, body }) => refunds.validateReferences(context, params.id, body.items),
  },
)
