import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/webhooks/contract.ts'
import * as webhooks from '@/lib/webhooks/operations.ts'

export const GET = route(contract.listWebhookEndpoints, ({ caller, query, url }) => webhooks.list(caller, query, url))
export const POST = route(contract.createWebhookEndpoint, ({ caller, body }) => webhooks.register(caller, body), {
  alsoWrong: ({ caller, body }) => webhooks.alsoWrong(caller, null, body),
})
