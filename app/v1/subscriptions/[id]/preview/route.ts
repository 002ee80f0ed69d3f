import * as contract from '@/lib/modules/subscriptions/preview-contract.ts'
import { route } from '@/lib/platform/http/route.ts'
import * as subscriptions from '@/lib/workflows/subscription-change/operations.ts'

export const POST = route(
  contract.previewSubscriptionChange,
  ({ context, params, body }) => subscriptions.preview(context, params.id, body),
  { validateReferences: ({ context, params, body }) => subscriptions.validateReferences(context, params.id, body) },
)
