import { openStreams } from '../platform/jobs/open-streams.ts'
import type { Listener } from './listen.ts'

/**
 * Closes the port and waits for requests in progress. First tells the webhook dispatches to end, because a dispatch that an Inngest server
 * requested starts delivery attempts for up to a minute. Also waits for delivery attempts in progress, even if the request that started
 * them was cut.
 */
export function drain(listener: Listener | null, ...howLong: Parameters<Listener['close']>): Promise<void> {
  return openStreams().stopUntil(listener?.close(...howLong) ?? Promise.resolve())
}
