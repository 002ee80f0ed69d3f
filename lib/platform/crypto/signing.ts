import { createHmac } from 'node:crypto'

/**
 * The value of `Service-Signature`: HMAC-SHA256 over "<unix seconds>.<raw body>", keyed with the bytes of the secret as
 * the merchant chose it. Receivers should refuse a time more than 300 s away.
 */
export function serviceSignature(secret: string, unixSeconds: number, body: string): string {
  const hex = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')
  return `t=${unixSeconds},v1=${hex}`
}
