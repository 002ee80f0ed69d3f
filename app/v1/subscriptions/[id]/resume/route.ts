import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/subscriptions/contract.ts'
import * as subscriptions from '@/lib/subscriptions/operations.ts'

export const POST = route(contract.resumeSubscription, ({ context, params }) =>
  subscriptions.resume(context, params.id),
)
