import type { IncomingMessage, ServerResponse } from 'node:http'
import { busyPage } from '../platform/http/busy-page.ts'
import { addressBlock, clientAddress } from '../platform/http/client-address.ts'
import { within } from '../platform/within.ts'
import { Busy, WorkQueue } from '../platform/work-queue.ts'
import { sendResponse } from './web.ts'

/** Answers a request by a page. */
type Pages = (message: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Drawing a page takes 10 to 30 ms of a process's one thread, a hundred times what a call takes: as many as come at once
 * would hold every call up. One at a time draws as many a second as a hundred side by side. One that takes longer than
 * `heldMs` waits for something slow, and leaves its place to the next.
 */
const usual = { atOnce: 1, most: 400, mostOfOne: 150, retryAfterSeconds: 5, heldMs: 100 }

/**
 * Draws pages in turns, addresses one after the other, and no more than a limit wait, in all and for one address. One too many is answered 503 at once, and a page that nobody waits for any more is not drawn.
 */
export function inTurns(pages: Pages, { heldMs, ...limits } = usual): Pages {
  const queue = new WorkQueue(limits)
  return async (message, response) => {
    const header = (name: string) => message.headers[name]?.toString() ?? null
    const address = addressBlock(clientAddress({ headers: { get: header } }))
    let drawn: Promise<void> | undefined
    try {
      await queue.run(address, async () => {
        // What came meanwhile is read first.
        await new Promise(setImmediate)
        if (response.destroyed) return
        drawn = pages(message, response)
        // How it ends is awaited below.
        await within(heldMs, drawn).catch(() => undefined)
      })
    } catch (error) {
      if (!(error instanceof Busy)) throw error
      const asked = { seconds: error.retryAfterSeconds, acceptLanguage: header('accept-language') }
      return sendResponse(await busyPage(503, asked), response)
    }
    await drawn
  }
}
