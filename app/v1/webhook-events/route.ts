import * as contract from '@/lib/modules/webhooks/contract.ts'
import * as webhooks from '@/lib/modules/webhooks/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const GET = route(contract.listWebhookEvents, ({ context, query, url }) =>
  webhooks.listOfEvents(context, query, url),
)
