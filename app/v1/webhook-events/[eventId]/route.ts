import { route } from '@/lib/platform/route.ts'
import * as contract from '@/lib/webhooks/contract.ts'
import * as webhooks from '@/lib/webhooks/operations.ts'

export const GET = route(contract.getWebhookEvent, ({ context, params }) => webhooks.getEvent(context, params.eventId))
