import * as contract from '@/lib/modules/subscriptions/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as subscriptions from '@/lib/workflows/subscription-change/operations.ts'

export const GET = route(contract.getSubscription, ({ context, params }) => subscriptions.get(context, params.id))
export const PATCH = route(
  contract.changeSubscription,
  ({ context, params, body }) => subscriptions.change(context, params.id, body),
  { validateReferences: ({ context, params, body }) => subscriptions.validateReferences(context, params.id, body) },
)
export const DELETE = route(contract.cancelSubscription, ({ context, params, query, body }) =>
  subscriptions.cancel(context, params.id, { immediately: contract.isImmediate(query, body) }),
)
