import { bytesOf, type Receipt, type ReceiverOptions, receive, tooLarge } from './receive.ts'

export type { ReceiverOptions } from './receive.ts'

interface IncomingRequest extends AsyncIterable<Uint8Array> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly readableEnded: boolean
  readonly body?: unknown
}

interface OutgoingResponse {
  statusCode: number
  end(text?: string): unknown
}

/**
 * Handles requests of Express and of `node:http`: `app.post('/webhooks', receiveWebhooks({ secret, onEvent }))`. Mount the handler before `express.json()`,
 * which would consume the body.
 */
export function receiveWebhooks(
  options: ReceiverOptions,
): (request: IncomingRequest, response: OutgoingResponse, next?: (error: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const body = await rawBodyOf(request)
      const header = request.headers['service-signature']
      const receipt: Receipt = body ? await receive(body, String(header ?? ''), options) : tooLarge
      response.statusCode = receipt.status
      response.end(receipt.message)
    } catch (error) {
      if (!next) throw error
      next(error)
    }
  }
}

/** Reads the body, or uses the bytes of `express.raw()`. Returns null if the body is too large. */
async function rawBodyOf(request: IncomingRequest): Promise<Uint8Array | string | null> {
  const { body } = request
  if (body instanceof Uint8Array || typeof body === 'string') return body
  if (request.readableEnded)
    throw new Error('A parser consumed the body of the webhook. Mount receiveWebhooks before express.json().')
  return bytesOf(request)
}
