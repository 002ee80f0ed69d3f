import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { apiLink } from '../../platform/http/links.ts'
import type { WebhookEndpointShape } from './contract.ts'
import type { WebhookEndpoint } from './store.ts'

/** No response contains the secret, because it is write-only. */
export const endpointResource = ({
  id,
  testmode,
  url,
  enabledEvents,
  createdAt,
}: WebhookEndpoint): z.infer<typeof WebhookEndpointShape> => ({
  id,
  resource: 'webhook_endpoint',
  testmode,
  url,
  enabledEvents: [...enabledEvents],
  createdAt: toWire(createdAt),
  links: { self: apiLink(`/webhook-endpoints/${id}`) },
})
