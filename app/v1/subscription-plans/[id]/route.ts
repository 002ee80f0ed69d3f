import * as contract from '@/lib/catalog/contract.ts'
import * as catalog from '@/lib/catalog/operations.ts'
import { route } from '@/lib/platform/route.ts'

const kind = 'subscription_plan'

export const GET = route(contract.getPlan, ({ caller, params }) => catalog.get(caller, kind, params.id))
export const PATCH = route(
  contract.updatePlan,
  ({ caller, params, body }) => catalog.submitUpdate(caller, kind, params.id, body),
  { alsoWrong: ({ caller, params, body }) => catalog.wrongNewInterval(caller, params.id, body) },
)
