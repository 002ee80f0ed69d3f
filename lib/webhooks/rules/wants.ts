import type { WebhookEndpoint } from '../store.ts'

/** Whether an endpoint is sent events of this name, now: asked before each attempt. */
export const wants = (
  { enabledEvents, deleted }: Pick<WebhookEndpoint, 'enabledEvents' | 'deleted'>,
  eventName: string,
): boolean => !deleted && enabledEvents.includes(eventName)
