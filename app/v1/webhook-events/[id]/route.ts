import * as contract from '@/lib/modules/webhooks/contract.ts'
import * as webhooks from '@/lib/modules/webhooks/operations.ts'
import { route } from '@/lib/platform/http/route.ts'

export const GET = route(contract.getWebhookEvent, ({ context, params }) => webhooks.getEvent(context, params.id))
