import * as contract from '@/lib/modules/webhooks/contract.ts'
import * as webhooks from '@/lib/modules/webhooks/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const GET = route(contract.getWebhookEndpoint, ({ context, params }) => webhooks.get(context, params.id))
export const PATCH = route(
  contract.updateWebhookEndpoint,
  ({ context, params, body }) => webhooks.update(context, params.id, body),
  { validateReferences: ({ context, params, body }) => webhooks.validateReferences(context, params.id, body) },
)
export const DELETE = route(contract.deleteWebhookEndpoint, ({ context, params }) =>
  webhooks.remove(context, params.id),
)
