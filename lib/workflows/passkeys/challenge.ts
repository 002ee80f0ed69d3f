import { createHash } from 'node:crypto'
import { seal, unseal } from '../../platform/crypto/sealed.ts'

/** Log in, or add a passkey in one session after a second-factor code. */
export type Purpose = 'log_in' | { readonly addIn: string }

const lifetimeMs = 30 * 60_000

const placeOf = (purpose: Purpose): string =>
  `passkey challenge|${purpose === 'log_in' ? purpose : `add|${purpose.addIn}`}`

/**
 * In base64url, valid for half an hour. It is encrypted, so that showing a page stores nothing. An answered challenge
 * is stored (`spendChallenge`), so that it works only once.
 */
export const newChallenge = (purpose: Purpose, now: Date): string =>
  Buffer.from(seal(String(now.getTime() + lifetimeMs), placeOf(purpose))).toString('base64url')

export function isChallenge(challenge: string, purpose: Purpose, now: Date): boolean {
  try {
    return Number(unseal(Buffer.from(challenge, 'base64url'), placeOf(purpose))) > now.getTime()
  } catch {
    return false // It was not encrypted here, for this purpose, with a current key.
  }
}

export const challengeHash = (challenge: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(challenge).digest())
