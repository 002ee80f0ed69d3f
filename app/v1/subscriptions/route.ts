import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/subscriptions/contract.ts'
import * as subscriptions from '@/lib/subscriptions/operations.ts'

export const GET = route(contract.listSubscriptions, ({ context, query, url }) =>
  subscriptions.list(context, query, url),
)
