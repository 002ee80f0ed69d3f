import type { WebhookEvent } from './generated/operations.ts'
import { verify, WebhookError } from './webhooks.ts'

export interface ReceiverOptions {
  /** The endpoint secret. If it is missing, the handler throws an error for each delivery. */
  secret: string | undefined
  /**
   * Store the event, and do long work later, because Billhook gets 204 only after `onEvent` ends. If `onEvent` throws,
   * Billhook sends the event again. An event can arrive twice, so ignore an `id` that you have stored.
   */
  onEvent: (event: WebhookEvent) => void | Promise<void>
  /** The maximum difference in seconds between the time of the signature and the clock. The default is 300. */
  toleranceSeconds?: number | undefined
}

/** The maximum size of a body, in bytes. Larger bodies are refused before the signature check. Events are far smaller. */
export const mostBytes = 4 * 1024 * 1024

export interface Receipt {
  status: 204 | 400 | 413
  message: string
}

/** Passes the event of a genuine delivery to `onEvent`, except the ping `webhook.setup`. */
export async function receive(
  rawBody: string | Uint8Array | ArrayBuffer,
  header: string | null | undefined,
  { secret, onEvent, toleranceSeconds }: ReceiverOptions,
): Promise<Receipt> {
  try {
    const event = await verify(rawBody, header, secret ?? '', { toleranceSeconds })
    if (event.eventName !== 'webhook.setup') await onEvent(event)
    return { status: 204, message: '' }
  } catch (error) {
    if (error instanceof WebhookError) return { status: 400, message: error.message }
    throw error
  }
}

export const tooLarge: Receipt = { status: 413, message: 'The body is too large.' }

export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of chunks) {
    size += part.length
    if (size > mostBytes) return null
    parts.push(part)
  }
  const all = new Uint8Array(size)
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}
