import type { ServerResponse } from 'node:http'
import { Busy, WorkQueue } from '../platform/work-queue.ts'

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
/**
 * How large a list is shows only once it is made: of one caller so many are made at once, so that what they have unread is
 * counted before all that they asked for at once is in memory. One process makes them no sooner side by side.
 */
const listsOfCaller = { atOnce: Infinity, atOnceOfOne: 4, most: Infinity, mostOfOne: 400, retryAfterSeconds: 1 }

export class UnreadAnswers {
  private readonly bytes = new Map<string, number>()
  private readonly lists = new WorkQueue(listsOfCaller)

  /**
   * Makes an answer and counts it; false if its caller has too much unread, or too much that waits. One that may be large
   * waits for its turn, and is not made if its client has left by then.
   */
  async make(
    caller: string,
    mayBeLarge: boolean,
    response: ServerResponse,
    work: () => Promise<void>,
  ): Promise<boolean> {
    const made = async () => {
      if (!this.mayAnswer(caller)) return false
      await work()
      this.count(caller, response)
      return true
    }
    if (!mayBeLarge) return made()
    try {
      return await this.lists.run(caller, async () => response.destroyed || (await made()))
    } catch (error) {
      if (error instanceof Busy) return false
      throw error
    }
  }

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
