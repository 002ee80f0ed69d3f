import { createHash, createHmac } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { base62FromBytes } from '../../kernel/ids.ts'

/** RFC 6238 with what every authenticator app takes: SHA-1, six digits, 30 seconds. */
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

/** What an authenticator app reads from a picture. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/**
 * The step of a code, if it is right: of this half minute, the one before or the one after, since clocks differ, and
 * later than `lastStep`, the step of the code that was used last. Null if it is not.
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
 * The recovery codes that belong to a secret, of 95 bits each, in groups of four characters. They are derived, so that a
 * page can show them until the second factor is confirmed; afterwards only their hashes are kept.
 */
export const recoveryCodes = (secret: string): string[] =>
  Array.from({ length: codeCount }, (_, index) => {
    const bytes = createHmac('sha256', secret).update(`recovery code ${index}`).digest()
    return (base62FromBytes(bytes, codeLength).match(/.{4}/g) ?? []).join('-')
  })

/** The hash of a recovery code, whatever separates its groups. */
export const recoveryCodeHash = (code: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    createHash('sha256')
      .update(code.replaceAll(/[^0-9A-Za-z]/g, ''))
      .digest(),
  )
