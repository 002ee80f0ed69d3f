import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/webhooks/contract.ts'
import * as webhooks from '@/lib/webhooks/operations.ts'

export const GET = route(contract.listWebhookEndpoints, ({ context, query, url }) => webhooks.list(context, query, url))
export const POST = route(contract.createWebhookEndpoint, ({ context, body }) => webhooks.register(context, body), {
  validateReferences: ({ context, body }) => webhooks.validateReferences(context, null, body),
})
