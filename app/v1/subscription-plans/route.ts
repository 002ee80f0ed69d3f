import * as contract from '@/lib/modules/catalog/contract.ts'
import * as catalog from '@/lib/modules/catalog/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

const kind = 'subscription_plan'

export const GET = route(contract.listPlans, ({ context, query, url }) => catalog.list(context, kind, query, url))
export const POST = route(contract.createPlan, ({ context, body }) => catalog.create(context, kind, body), {
  validateReferences: async ({ context, body }) => catalog.validateInterval(context, body),
})
