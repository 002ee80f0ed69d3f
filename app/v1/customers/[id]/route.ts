import * as contract from '@/lib/modules/customers/contract.ts'
import * as customers from '@/lib/modules/customers/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const GET = route(contract.getCustomer, ({ context, params }) => customers.get(context, params.id))
export const PATCH = route(
  contract.updateCustomer,
  ({ context, params, body }) => customers.update(context, params.id, body),
  { validateReferences: ({ context, params, body }) => customers.validateReferences(context, params.id, body) },
)
