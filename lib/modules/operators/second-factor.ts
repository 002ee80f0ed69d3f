import { createHash, createHmac } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { base62FromBytes } from '../../kernel/ids.ts'

/** TOTP (RFC 6238) with the parameters that every authenticator app supports. */
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

/** Returns a new secret of 160 bits, in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/**
 * Returns the 30-second step of a correct code. Accepts the previous and the next step, because clocks differ. Returns null for a wrong code, and for a step
 * that is not after `lastStep` (the step of the last used code).
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

/** The codes are derived from the secret, so that a page can show the codes until the second factor is confirmed. Each code has 95 bits. */
export const recoveryCodes = (secret: string): string[] =>
  Array.from({ length: codeCount }, (_, index) => {
    const bytes = createHmac('sha256', secret).update(`recovery code ${index}`).digest()
    return (base62FromBytes(bytes, codeLength).match(/.{4}/g) ?? []).join('-')
  })

/** Ignores the separators between groups of characters. */
export const recoveryCodeHash = (code: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    createHash('sha256')
      .update(code.replaceAll(/[^0-9A-Za-z]/g, ''))
      .digest(),
  )
