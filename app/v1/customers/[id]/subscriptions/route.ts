import * as contract from '@/lib/modules/subscriptions/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as subscriptions from '@/lib/workflows/subscription-change/operations.ts'

export const GET = route(contract.listCustomerSubscriptions, ({ context, params, query, url }) =>
  subscriptions.listOfCustomer(context, params.id, query, url),
)
