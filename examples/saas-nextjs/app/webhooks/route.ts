import { receiveWebhooks } from '@billhook/sdk/next'
import { storeEvent } from '../../lib/store.ts'

export const POST = receiveWebhooks({ secret: process.env.WEBHOOK_SECRET, onEvent: storeEvent })
