import * as contract from '@/lib/modules/customers/contract.ts'
import * as customers from '@/lib/modules/customers/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const GET = route(contract.listCustomers, ({ context, query, url }) => customers.list(context, query, url))
export const POST = route(contract.createCustomer, ({ context, body }) => customers.getOrCreate(context, body), {
  answer: ({ created, customer }) => ({ status: created ? 201 : 200, body: customer }),
})
