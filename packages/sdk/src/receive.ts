import type { WebhookEvent } from './generated/operations.ts'
import { verify, WebhookError } from './webhooks.ts'

export interface ReceiverOptions {
  /** The secret of the endpoint. A delivery is refused with an error if the secret is missing. */
  secret: string | undefined
  /**
   * Stores the event. The response 204 follows, so do long work later. If `onEvent` throws, the framework responds with
   * an error, and Billhook sends the event again. An event can arrive twice: ignore an `id` that is already stored.
   */
  onEvent: (event: WebhookEvent) => void | Promise<void>
  /** By how much the time of the signature may differ from the clock, in seconds; 300 without this option. */
  toleranceSeconds?: number | undefined
}

/** Larger bodies are refused before their signature is checked. Events are far smaller. */
export const mostBytes = 4 * 1024 * 1024

export interface Receipt {
  status: 204 | 400 | 413
  message: string
}

/** Verifies a delivery and hands its event to `onEvent`. Responds to the ping `webhook.setup` without the event. */
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

/** The bytes of a body; null if the body is too large. */
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
