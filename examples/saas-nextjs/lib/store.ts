import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { WebhookEvent } from '@billhook/sdk'

/** In production, store events and subscriptions in two database tables. The event id is the primary key of the events table. */
interface Stored {
  events: string[]
  subscriptionOf: Record<string, string>
}

const file = process.env.STORE_FILE ?? 'store.json'
const read = (): Stored =>
  existsSync(/* turbopackIgnore: true */ file)
    ? JSON.parse(readFileSync(/* turbopackIgnore: true */ file, 'utf8'))
    : { events: [], subscriptionOf: {} }

/** Only the subscription id is stored. Pages read all other data from the API, so the order of events does not matter. */
export function storeEvent(event: WebhookEvent): void {
  const stored = read()
  if (stored.events.includes(event.id)) return
  stored.events.push(event.id)
  const workspace = event.eventName === 'subscription.started' && event.object.metadata?.workspace
  if (workspace) stored.subscriptionOf[String(workspace)] = event.entityId
  writeFileSync(`${file}.new`, JSON.stringify(stored))
  renameSync(`${file}.new`, file)
}

export const subscriptionOf = (workspace: string): string | undefined => read().subscriptionOf[workspace]
