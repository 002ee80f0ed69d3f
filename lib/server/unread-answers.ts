import type { ServerResponse } from 'node:http'
import { Busy, WorkQueue } from '../platform/work-queue.ts'

/**
 * Limits the memory for responses that clients have not read. A list response can have ten megabytes, so a caller that
 * requests a hundred lists and reads none could exhaust the memory of the process.
 */

/**
 * The minimum size, in bytes, of a response that counts as unread. Smaller responses do not count, because nearly all
 * of them are sent immediately.
 */
const smallest = 64 * 1024
/** A caller with at least this number of unread bytes gets no further API response until it has read some of them. */
const mostOfCaller = 32 * 1024 * 1024
/**
 * A client is disconnected if it does not read a response in time. The time limit is this number of milliseconds plus
 * the size of the response divided by `slowestBytesPerMs`.
 */
const patienceMs = 30_000
const slowestBytesPerMs = 64
/**
 * At most four lists of a caller are built at the same time. The size of a list is known only after it is built, so
 * `mostOfCaller` cannot limit unfinished lists.
 */
const listsOfCaller = { atOnce: Infinity, atOnceOfOne: 4, most: Infinity, mostOfOne: 400, retryAfterSeconds: 1 }

export class UnreadAnswers {
  private readonly bytes = new Map<string, number>()
  private readonly lists = new WorkQueue(listsOfCaller)

  /**
   * Calls `work`, which sends the response. If the caller has too many unread bytes or waiting lists, returns false and
   * does not call `work`. A response that may be large first waits in a queue.
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

  mayAnswer(caller: string): boolean {
    return this.bytes.size === 0 || (this.bytes.get(caller) ?? 0) < mostOfCaller
  }

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
