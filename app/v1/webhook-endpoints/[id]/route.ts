import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/webhooks/contract.ts'
import * as webhooks from '@/lib/webhooks/operations.ts'

export const GET = route(contract.getWebhookEndpoint, ({ caller, params }) => webhooks.get(caller, params.id))
export const PATCH = route(
  contract.updateWebhookEndpoint,
  ({ caller, params, body }) => webhooks.update(caller, params.id, body),
  { alsoWrong: ({ caller, params, body }) => webhooks.alsoWrong(caller, params.id, body) },
)
export const DELETE = route(contract.deleteWebhookEndpoint, ({ caller, params }) => webhooks.remove(caller, params.id))
