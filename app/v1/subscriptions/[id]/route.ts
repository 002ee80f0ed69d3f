import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/subscriptions/contract.ts'
import * as subscriptions from '@/lib/subscriptions/operations.ts'

export const GET = route(contract.getSubscription, ({ context, params }) => subscriptions.get(context, params.id))
export const PATCH = route(
  contract.changeSubscription,
  ({ context, params, body }) => subscriptions.change(context, params.id, body),
  { validateReferences: ({ context, params, body }) => subscriptions.validateReferences(context, params.id, body) },
)
export const DELETE = route(contract.cancelSubscription, ({ context, params, query }) =>
  subscriptions.cancel(context, params.id, query),
)
