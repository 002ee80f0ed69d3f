import type { ServerResponse } from 'node:http'

/**
 * Answers that their clients have not read yet, by caller. They wait in the memory of the process: a list can have ten megabytes, and
 * who reads none of a hundred of them would take what all others need.
 */

/** Less than this is not counted: nearly every answer goes out at once. */
const smallest = 64 * 1024
/** A caller with more than this unread gets no further answer that could be large. */
const mostOfCaller = 32 * 1024 * 1024
/** A client that reads more slowly, after half a minute, is cut off. */
const patienceMs = 30_000
const slowestBytesPerMs = 64

export class UnreadAnswers {
  private readonly bytes = new Map<string, number>()

  /** Whether another answer may be made for a caller. */
  mayAnswer(caller: string): boolean {
    return this.bytes.size === 0 || (this.bytes.get(caller) ?? 0) < mostOfCaller
  }

  /** Counts what is still unread of an answer that was ended, until it is read or its connection is gone. */
  count(caller: string, response: ServerResponse): void {
    const size = response.writableLength
    if (size < smallest || response.destroyed) return
    this.bytes.set(caller, (this.bytes.get(caller) ?? 0) + size)
    const cut = setTimeout(() => response.destroy(), patienceMs + size / slowestBytesPerMs).unref()
    response.once('close', () => {
      clearTimeout(cut)
      const rest = (this.bytes.get(caller) ?? 0) - size
      if (rest > 0) this.bytes.set(caller, rest)
      else this.bytes.delete(caller)
    })
  }
}
