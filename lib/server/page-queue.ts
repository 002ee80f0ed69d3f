import type { IncomingMessage, ServerResponse } from 'node:http'
import { busyPage } from '../platform/http/busy-page.ts'
import { addressBlock, clientAddress } from '../platform/http/client-address.ts'
import { within } from '../platform/within.ts'
import { Busy, WorkQueue } from '../platform/work-queue.ts'
import { sendResponse } from './web.ts'

type Pages = (message: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Rendering takes 10 to 30 ms of a process's only thread, so one at a time is as fast, and delays calls less. A page
 * that takes longer than `heldMs` waits for something slow, and gives its place to the next page.
 */
const usual = { atOnce: 1, most: 400, mostOfOne: 150, retryAfterSeconds: 5, heldMs: 100 }

/** Renders pages in turn, one address after the other. A page above the limit gets 503 at once. */
export function inTurns(pages: Pages, { heldMs, ...limits } = usual): Pages {
  const queue = new WorkQueue(limits)
  return async (message, response) => {
    const header = (name: string) => message.headers[name]?.toString() ?? null
    const address = addressBlock(clientAddress({ headers: { get: header } }))
    let drawn: Promise<void> | undefined
    try {
      await queue.run(address, async () => {
        // Reads requests that arrived meanwhile first.
        await new Promise(setImmediate)
        if (response.destroyed) return
        drawn = pages(message, response)
        // The outcome is awaited below.
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
