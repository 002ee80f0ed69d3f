import type { WebhookEvent, WebhookSetupEvent } from './generated/operations.ts'

export interface VerifyOptions {
  /** The maximum difference in seconds between the time of the signature and the clock. The default is 300. */
  toleranceSeconds?: number | undefined
  /** The current time in Unix seconds, for tests. */
  now?: number | undefined
}

export type WebhookErrorCode = 'malformed_signature' | 'wrong_time' | 'wrong_signature' | 'malformed_body'

/** Thrown if a delivery is not genuine. Respond with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  constructor(
    readonly code: WebhookErrorCode,
    message: string,
  ) {
    super(message)
  }
}

const encoder = new TextEncoder()

/**
 * Returns the event of a genuine delivery. Throws a `WebhookError` otherwise. `eventName` narrows the type of `object`.
 * @param rawBody the bytes of the body as received, because parsing and serializing again changes them
 * @param header the header `Service-Signature`
 * @param secret the secret of the endpoint
 */
export async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  header: string | null | undefined,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() / 1000 }: VerifyOptions = {},
): Promise<WebhookEvent | WebhookSetupEvent> {
  if (secret === '') throw new TypeError('The secret of the webhook endpoint is empty.')
  const [, t = '', signatures = ''] = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64})+)$/.exec(header ?? '') ?? []
  if (t === '') throw new WebhookError('malformed_signature', 'The header Service-Signature is missing or malformed.')
  if (Math.abs(now - Number(t)) > toleranceSeconds)
    throw new WebhookError('wrong_time', 'The time of the signature differs too much from the clock.')
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : new Uint8Array(rawBody)
  const key = await hmacKey(secret)
  const signed = signedBytes(t, body)
  // For a day after a secret rotation, deliveries have two signatures, so one match is enough. `crypto.subtle.verify`
  // compares in constant time, so the time of the check reveals nothing about the signature.
  const matches = await Promise.all(
    signatures
      .split(',v1=')
      .slice(1)
      .map((hex) => crypto.subtle.verify('HMAC', key, bytesOf(hex), signed)),
  )
  if (!matches.includes(true)) throw new WebhookError('wrong_signature', 'No signature matches the secret.')
  return eventOf(body)
}

/** The header `Service-Signature` for a body, for tests of a receiver. */
export async function sign(rawBody: string, secret: string, now: number = Date.now() / 1000): Promise<string> {
  const t = String(Math.floor(now))
  const signature = await crypto.subtle.sign('HMAC', await hmacKey(secret), signedBytes(t, encoder.encode(rawBody)))
  return `t=${t},v1=${[...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const hmacKey = (secret: string) =>
  crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

function signedBytes(t: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = encoder.encode(`${t}.`)
  const all = new Uint8Array(start.length + body.length)
  all.set(start)
  all.set(body, start.length)
  return all
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

function eventOf(body: Uint8Array): WebhookEvent | WebhookSetupEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new WebhookError('malformed_body', 'The body is not JSON.')
  }
}
