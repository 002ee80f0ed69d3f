import { openStreams } from '../platform/jobs/open-streams.ts'
import type { Listener } from './listen.ts'

/**
 * Closes the port. A dispatch of an Inngest server would start attempts for a minute, so it is stopped first. Started
 * attempts are awaited even if the request is cut.
 */
export function drain(listener: Listener | null, ...howLong: Parameters<Listener['close']>): Promise<void> {
  return openStreams().stopUntil(listener?.close(...howLong) ?? Promise.resolve())
}
