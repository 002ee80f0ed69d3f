import { createHash } from 'node:crypto'
import { seal, unseal } from '../../platform/crypto/sealed.ts'

/** The purpose of a challenge: a log-in, or a new passkey. `addIn` is the id of the session that adds the passkey. */
export type Purpose = 'log_in' | { readonly addIn: string }

const lifetimeMs = 30 * 60_000

const placeOf = (purpose: Purpose): string =>
  `passkey challenge|${purpose === 'log_in' ? purpose : `add|${purpose.addIn}`}`

/**
 * Returns the encrypted expiry time as base64url. The service stores a challenge only when it is answered (`spendChallenge`), so a page view stores
 * nothing.
 */
export const newChallenge = (purpose: Purpose, now: Date): string =>
  Buffer.from(seal(String(now.getTime() + lifetimeMs), placeOf(purpose))).toString('base64url')

export function isChallenge(challenge: string, purpose: Purpose, now: Date): boolean {
  try {
    return Number(unseal(Buffer.from(challenge, 'base64url'), placeOf(purpose))) > now.getTime()
  } catch {
    return false // The text is not a challenge for this purpose, or its encryption key is no longer configured.
  }
}

export const challengeHash = (challenge: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(challenge).digest())
