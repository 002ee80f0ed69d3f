import * as contract from '@/lib/billing/contract.ts'
import * as billing from '@/lib/billing/operations.ts'
import { route } from '@/lib/platform/route.ts'

export const POST = route(contract.createBillingUpdateLink, ({ context, params, body }) =>
  billing.createLink(context, params.id, body),
)
