import type { IncomingMessage, ServerResponse } from 'node:http'
import { busyPage } from '../platform/http/busy-page.ts'
import { addressBlock, clientAddress } from '../platform/http/client-address.ts'
import { within } from '../platform/within.ts'
import { Busy, WorkQueue } from '../platform/work-queue.ts'
import { sendResponse } from './web.ts'

type Pages = (message: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Rendering occupies the only thread for 10 to 30 ms. Rendering one page at a time is therefore not slower, and delays API calls less. A page that takes longer
 * than `heldMs` milliseconds is assumed to wait for something slow, and the next page starts.
 */
const usual = { atOnce: 1, most: 400, mostOfOne: 150, retryAfterSeconds: 5, heldMs: 100 }

/**
 * Renders one page at a time, and alternates between the client addresses. A request above the limit of waiting
 * requests gets 503 immediately.
 */
export function inTurns(pages: Pages, { heldMs, ...limits } = usual): Pages {
  const queue = new WorkQueue(limits)
  return async (message, response) => {
    const header = (name: string) => message.headers[name]?.toString() ?? null
    const address = addressBlock(clientAddress({ headers: { get: header } }))
    let drawn: Promise<void> | undefined
    try {
      await queue.run(address, async () => {
        // Yields before rendering, so that the server first reads requests that have already arrived.
        await new Promise(setImmediate)
        if (response.destroyed) return
        drawn = pages(message, response)
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
