import * as contract from '@/lib/customers/contract.ts'
import * as customers from '@/lib/customers/operations.ts'
import { route } from '@/lib/platform/route.ts'

export const GET = route(contract.getCustomer, ({ caller, params }) => customers.get(caller, params.id))
export const PATCH = route(
  contract.updateCustomer,
  ({ caller, params, body }) => customers.update(caller, params.id, body),
  { alsoWrong: ({ caller, params, body }) => customers.alsoWrong(caller, params.id, body) },
)
