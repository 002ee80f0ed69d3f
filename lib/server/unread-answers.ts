import type { ServerResponse } from 'node:http'
import { Busy, WorkQueue } from '../platform/work-queue.ts'

/**
 * Counts unread responses, which wait in the memory of the process, by caller. A list can have ten megabytes, so a
 * caller who reads none of a hundred lists would take the memory that other callers need.
 */

/** Smaller responses are not counted: nearly all of them are sent at once. */
const smallest = 64 * 1024
/** A caller with more unread bytes gets no further response that could be large. */
const mostOfCaller = 32 * 1024 * 1024
/** A client that reads more slowly for half a minute is disconnected. */
const patienceMs = 30_000
const slowestBytesPerMs = 64
/** The size of a list is known only after the list is made, so few are made at once. More would not be faster. */
const listsOfCaller = { atOnce: Infinity, atOnceOfOne: 4, most: Infinity, mostOfOne: 400, retryAfterSeconds: 1 }

export class UnreadAnswers {
  private readonly bytes = new Map<string, number>()
  private readonly lists = new WorkQueue(listsOfCaller)

  /** Returns false if the caller has too much unread or waiting. A response that may be large waits in a queue. */
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
