import * as contract from '@/lib/modules/webhooks/contract.ts'
import * as webhooks from '@/lib/modules/webhooks/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const POST = route(contract.pingWebhookEndpoint, ({ context, params }) => webhooks.ping(context, params.id))
