import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/webhooks/contract.ts'
import * as webhooks from '@/lib/webhooks/operations.ts'

export const GET = route(contract.getWebhookEndpoint, ({ context, params }) => webhooks.get(context, params.id))
export const PATCH = route(
  contract.updateWebhookEndpoint,
  ({ context, params, body }) => webhooks.update(context, params.id, body),
  { validateReferences: ({ context, params, body }) => webhooks.validateReferences(context, params.id, body) },
)
export const DELETE = route(contract.deleteWebhookEndpoint, ({ context, params }) =>
  webhooks.remove(context, params.id),
)
