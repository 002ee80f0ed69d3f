import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/subscriptions/contract.ts'
import * as subscriptions from '@/lib/subscriptions/operations.ts'

export const GET = route(contract.getSubscription, ({ caller, params }) => subscriptions.get(caller, params.id))
export const PATCH = route(
  contract.changeSubscription,
  ({ caller, params, body }) => subscriptions.change(caller, params.id, body),
  { alsoWrong: ({ caller, params, body }) => subscriptions.alsoWrong(caller, params.id, body) },
)
export const DELETE = route(contract.cancelSubscription, ({ caller, params, query }) =>
  subscriptions.cancel(caller, params.id, query),
)
