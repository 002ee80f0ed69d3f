import * as contract from '@/lib/modules/webhooks/contract.ts'
import * as webhooks from '@/lib/modules/webhooks/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const GET = route(contract.listWebhookEndpoints, ({ context, query, url }) => webhooks.list(context, query, url))
export const POST = route(contract.createWebhookEndpoint, ({ context, body }) => webhooks.register(context, body), {
  validateReferences: ({ context, body }) => webhooks.validateReferences(context, null, body),
})
