import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The value of `Service-Signature`: HMAC-SHA256 over "<unix seconds>.<raw body>", keyed with the bytes of the secret as
 * the merchant chose it. Receivers should refuse a time more than 300 s away.
 */
export function serviceSignature(secret: string, unixSeconds: number, body: string): string {
  const hex = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')
  return `t=${unixSeconds},v1=${hex}`
}

const toleranceSeconds = 300

/**
 * Whether a `Service-Signature` header matches the bytes of a body, with a time at most five minutes away. Compares in
 * constant time.
 */
export function isServiceSignature(
  header: string | null,
  secret: string,
  { body, now }: { readonly body: Uint8Array; readonly now: Date },
): boolean {
  const [, seconds, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (seconds === undefined || hex === undefined) return false
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  const isRecent = Math.abs(now.getTime() / 1000 - Number(seconds)) <= toleranceSeconds
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected) && isRecent
}
