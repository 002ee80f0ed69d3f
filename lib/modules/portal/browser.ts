import { createHash, randomBytes } from 'node:crypto'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { cookieOf } from '../../platform/http/cookies.ts'
import { isNewUse, isOpen } from './rules/session.ts'
import { type FoundSession, findSessionBySecret, recordUse } from './store.ts'

/** The cookie of a browser session: one portal at a time in a browser. */
export const portalCookie = '__Host-billhook-portal'

/** A new secret of 256 bits for a browser, and its hash, which alone is stored. */
export function newSecret(): { secret: string; hash: Uint8Array<ArrayBuffer> } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashOf(secret) }
}

const hashOf = (secret: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(secret).digest())

/** The session that a browser's cookies name, open or over. Null without one. */
export async function sessionOf(cookies: string | null): Promise<(FoundSession & { isOpen: boolean }) | null> {
  const secret = cookieOf(cookies, portalCookie)
  if (secret === null || !/^[\w-]{43}$/.test(secret)) return null
  const found = await findSessionBySecret(db(), hashOf(secret))
  return found && { ...found, isOpen: isOpen(found.session, realNow()) }
}

/** The open session of a browser; using it keeps it open. Null if there is none, or if it is over. */
export async function openSessionOf(cookies: string | null): Promise<FoundSession | null> {
  const found = await sessionOf(cookies)
  if (!found?.isOpen) return null
  const now = realNow()
  if (isNewUse(found.session, now)) await recordUse(db(), found.session.id, now)
  return found
}
