import * as contract from '@/lib/modules/billing-updates/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as billingUpdates from '@/lib/workflows/billing-update/operations.ts'

export const POST = route(contract.createBillingUpdateLink, ({ context, params, body }) =>
  billingUpdates.createLink(context, params.id, body),
)
