import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 over "<unix seconds>.<body>" for each secret. Receivers should refuse a time more than 300 s away. */
export function timedSignature(secrets: readonly string[], unixSeconds: number, body: string): string {
  const signed = secrets.map((secret) => createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex'))
  return [`t=${unixSeconds}`, ...signed.map((hex) => `v1=${hex}`)].join(',')
}

const toleranceSeconds = 300

/** Whether a signature matches the bytes of a body, with a time at most 300 s away. Compares in constant time. */
export function isTimedSignature(
  signature: string | null,
  secret: string,
  { body, now }: { readonly body: Uint8Array; readonly now: Date },
): boolean {
  const [, seconds, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? '') ?? []
  if (seconds === undefined || hex === undefined) return false
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  const isRecent = Math.abs(now.getTime() / 1000 - Number(seconds)) <= toleranceSeconds
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected) && isRecent
}
