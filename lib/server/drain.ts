import { openStreams } from '../platform/jobs/open-streams.ts'
import type { Listener } from './listen.ts'

/**
 * Closes the port, and waits for requests and for delivery attempts in progress. Waits for an attempt even if the
 * request that started it was cut. First tells the running webhook dispatch tasks to stop, because a dispatch task of
 * an Inngest server starts new attempts for up to a minute.
 */
export function drain(listener: Listener | null, ...howLong: Parameters<Listener['close']>): Promise<void> {
  return openStreams().stopUntil(listener?.close(...howLong) ?? Promise.resolve())
}
