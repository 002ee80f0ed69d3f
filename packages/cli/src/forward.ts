import { type WebhookEvent, webhooks } from '@billhook/sdk'
import { wrongUsage } from './failure.ts'
import { isLoopback, parsedUrl } from './login.ts'
import { pause } from './pause.ts'

export interface Forwarded {
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

/** The timeout in milliseconds. A real delivery has the same timeout. */
const timeoutMs = 15_000

/** Forwards an event with the headers of a real delivery. The signature contains the current time. */
export async function forward(
  event: WebhookEvent,
  { url, secret }: { url: string; secret: string },
  signal?: AbortSignal,
): Promise<Forwarded & { isRefused: boolean }> {
  const body = JSON.stringify(event)
  const limit = AbortSignal.timeout(timeoutMs)
  const startedAt = performance.now()
  const took = () => Math.round(performance.now() - startedAt)
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Billhook/1 (webhooks)',
        'service-event-id': event.id,
        'service-signature': await webhooks.sign(body, secret),
      },
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    await response.arrayBuffer()
    return { status: response.status, durationMs: took(), error: null, isRefused: false }
  } catch (error) {
    const why = limit.aborted ? `No response within ${timeoutMs / 1000} seconds.` : reasonOf(error)
    return { status: null, durationMs: took(), error: why, isRefused: isRefused(error) }
  }
}

/** Waits while nothing listens at the URL, so no event is lost while the receiver restarts. */
export async function forwardPatiently(
  event: WebhookEvent,
  receiver: { url: string; secret: string },
  { signal, onWait, retryMs = 1_000 }: { signal: AbortSignal; onWait(reason: string): void; retryMs?: number },
): Promise<Forwarded | null> {
  for (let attempts = 0; !signal.aborted; attempts++) {
    const { isRefused, ...result } = await forward(event, receiver, signal)
    if (signal.aborted && result.status === null) return null
    if (!isRefused) return result
    if (attempts === 0) onWait(result.error ?? '')
    await pause(retryMs, signal)
  }
  return null
}

export const isSuccess = ({ status }: Pick<Forwarded, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

const systemCode = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null
  return 'code' in error && typeof error.code === 'string' ? error.code : systemCode(error.cause)
}

const isRefused = (error: unknown): boolean => systemCode(error) === 'ECONNREFUSED'

function reasonOf(error: unknown): string {
  const code = systemCode(error)
  if (code === 'ECONNREFUSED') return 'Nothing listens at the address.'
  return `No response (${code ?? (error instanceof Error ? error.message : String(error))}).`
}

/** Accepts `3000/hooks` and `localhost:3000/hooks` for this machine. */
export function receiverUrl(typed: string): string {
  const isPort = /^:?\d+(?:\/|$)/.test(typed)
  const bare = isPort ? `localhost:${typed.replace(/^:/, '')}` : typed
  const text = /^https?:\/\//i.test(bare) ? bare : `${isLoopback(bare) ? 'http' : 'https'}://${bare}`
  const url = parsedUrl(text)
  if (!url) throw wrongUsage(`"${typed}" is not an address.`, 'Use an address such as localhost:4000/webhooks')
  return url.href
}

/** Parses a filter such as `order.paid,refund.*`. */
export function eventFilter(text: string | undefined, names: readonly string[]): (name: string) => boolean {
  if (text === undefined) return () => true
  const patterns = text.split(',').map((each) => each.trim())
  const matches = (pattern: string, name: string) =>
    pattern === '*' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)))
  const wrong = patterns.find((pattern) => !names.some((name) => matches(pattern, name)))
  if (wrong !== undefined)
    throw wrongUsage(
      `There is no event "${wrong}".`,
      'Use a name such as order.paid, or order.* for all events of orders.',
    )
  return (name) => patterns.some((pattern) => matches(pattern, name))
}
