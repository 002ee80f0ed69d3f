import { bytesOf, type ReceiverOptions, receive, tooLarge } from './receive.ts'

export type { ReceiverOptions } from './receive.ts'

/** A webhook handler for Deno, Bun, workers, and frameworks that use `Request` and `Response`. */
export function receiveWebhooks(options: ReceiverOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = await bytesOf(chunksOf(request.body))
    const header = request.headers.get('service-signature')
    const { status, message } = body ? await receive(body, header, options) : tooLarge
    return new Response(message || null, { status })
  }
}

/** Reads the stream with a reader, because not every platform can iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  const reader = stream?.getReader()
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) yield read.value
  reader?.releaseLock()
}
