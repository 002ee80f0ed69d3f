import * as contract from '@/lib/customers/contract.ts'
import * as customers from '@/lib/customers/operations.ts'
import { route } from '@/lib/platform/route.ts'

export const GET = route(contract.listCustomers, ({ caller, query, url }) => customers.list(caller, query, url))
export const POST = route(contract.createCustomer, ({ caller, body }) => customers.getOrCreate(caller, body), {
  answer: ({ created, customer }) => ({ status: created ? 201 : 200, body: customer }),
})
