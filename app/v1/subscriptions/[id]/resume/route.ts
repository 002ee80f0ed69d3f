import * as contract from '@/lib/modules/subscriptions/contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as subscriptions from '@/lib/workflows/subscription-change/operations.ts'

export const POST = route(contract.resumeSubscription, ({ context, params }) =>
  subscriptions.resume(context, params.id),
)
