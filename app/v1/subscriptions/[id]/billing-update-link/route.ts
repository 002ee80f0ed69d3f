import * as contract from '@/lib/billing/contract.ts'
import * as billing from '@/lib/billing/operations.ts'
import { route } from '@/lib/platform/route.ts'

export const POST = route(contract.createBillingUpdateLink, ({ caller, params, body }) =>
  billing.createLink(caller, params.id, body),
)
