import { createHash } from 'node:crypto'
import { seal, unseal } from '../../platform/crypto/sealed.ts'

/** What a challenge is for: to log in, or to add a passkey in one session, after a code of the second factor. */
export type Purpose = 'log_in' | { readonly addIn: string }

const lifetimeMs = 30 * 60_000

const placeOf = (purpose: Purpose): string =>
  `passkey challenge|${purpose === 'log_in' ? purpose : `add|${purpose.addIn}`}`

/**
 * A new challenge in base64url, for half an hour. It is sealed, so that a page that is only looked at stores nothing; one
 * that was answered is kept (`spendChallenge`), so that it is answered once.
 */
export const newChallenge = (purpose: Purpose, now: Date): string =>
  Buffer.from(seal(String(now.getTime() + lifetimeMs), placeOf(purpose))).toString('base64url')

/** Whether a challenge was made here for this purpose, and has not ended. */
export function isChallenge(challenge: string, purpose: Purpose, now: Date): boolean {
  try {
    return Number(unseal(Buffer.from(challenge, 'base64url'), placeOf(purpose))) > now.getTime()
  } catch {
    return false // It was not sealed here, for this purpose, with a key of today.
  }
}

export const challengeHash = (challenge: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(challenge).digest())
