import { createHash, createHmac } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { base62FromBytes } from '../../kernel/ids.ts'

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
const stepSeconds = 30
const totpOf = (secret: string, label = '') =>
  new TOTP({
    issuer: 'Billhook',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: stepSeconds,
    secret: Secret.fromBase32(secret),
  })

/** A new secret of 160 bits, in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The `otpauth:` URI that an authenticator app reads from the QR code. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/**
 * The 30-second step of a correct code. Clocks differ, so the previous and the next step count too. Null for a wrong code, and
 * for a step up to `lastStep`, the step of the last used code.
 */
export function stepOf(secret: string, code: string, lastStep: bigint | null, now: Date): bigint | null {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return null
  const delta = totpOf(secret).validate({ token: digits, timestamp: now.getTime(), window: 1 })
  if (delta === null) return null
  const step = BigInt(Math.floor(now.getTime() / 1000 / stepSeconds) + delta)
  return lastStep !== null && step <= lastStep ? null : step
}

const codeCount = 8
const codeLength = 16

/**
 * The recovery codes of a secret: 95 bits each, in groups of four characters. The codes are derived from the secret, so a page can
 * show them until the second factor is confirmed. Afterwards only their hashes are stored.
 */
export const recoveryCodes = (secret: string): string[] =>
  Array.from({ length: codeCount }, (_, index) => {
    const bytes = createHmac('sha256', secret).update(`recovery code ${index}`).digest()
    return (base62FromBytes(bytes, codeLength).match(/.{4}/g) ?? []).join('-')
  })

/** The hash of a recovery code. The separators between its groups do not matter. */
export const recoveryCodeHash = (code: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    createHash('sha256')
      .update(code.replaceAll(/[^0-9A-Za-z]/g, ''))
      .digest(),
  )
