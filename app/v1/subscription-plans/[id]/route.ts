import * as contract from '@/lib/modules/catalog/contract.ts'
import * as catalog from '@/lib/modules/catalog/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

const kind = 'subscription_plan'

export const GET = route(contract.getPlan, ({ context, params }) => catalog.get(context, kind, params.id))
export const PATCH = route(
  contract.updatePlan,
  ({ context, params, body }) => catalog.submitUpdate(context, kind, params.id, body),
  { validateReferences: ({ context, params, body }) => catalog.validateNewInterval(context, params.id, body) },
)
