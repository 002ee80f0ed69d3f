import { openStreams } from '../platform/jobs/open-streams.ts'
import type { Listener } from './listen.ts'

/**
 * Closes the port. A dispatch that an Inngest server runs here is a request, and would start further attempts for a
 * minute. It is stopped first, so that its request ends in time. Started attempts are awaited even if the request is
 * cut.
 */
export function drain(listener: Listener | null, ...howLong: Parameters<Listener['close']>): Promise<void> {
  return openStreams().stopUntil(listener?.close(...howLong) ?? Promise.resolve())
}
