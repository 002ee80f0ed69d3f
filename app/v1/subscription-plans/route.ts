import * as contract from '@/lib/catalog/contract.ts'
import * as catalog from '@/lib/catalog/operations.ts'
import { route } from '@/lib/platform/route.ts'

const kind = 'subscription_plan'

export const GET = route(contract.listPlans, ({ caller, query, url }) => catalog.list(caller, kind, query, url))
export const POST = route(contract.createPlan, ({ caller, body }) => catalog.create(caller, kind, body), {
  alsoWrong: async ({ caller, body }) => catalog.wrongInterval(caller, body),
})
