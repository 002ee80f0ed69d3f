import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 of "<unix seconds>.<body>" for each secret. Receivers should accept a time that differs from their clock by at most 300 s. */
export function timedSignature(secrets: readonly string[], unixSeconds: number, body: string): string {
  const signed = secrets.map((secret) => createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex'))
  return [`t=${unixSeconds}`, ...signed.map((hex) => `v1=${hex}`)].join(',')
}

const toleranceSeconds = 300

/** Whether a signature matches the body and its time differs from `now` by at most 300 s. Compares in constant time. */
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
