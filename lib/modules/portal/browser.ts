import { isNewUse } from '../../kernel/browser-session.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { secretHashIn } from '../../platform/http/browser-secret.ts'
import { isOpen } from './rules/session.ts'
import { type FoundSession, findSessionBySecret, recordUse } from './store.ts'

/** The portal session is stored in one cookie, so a browser can have one open portal session. */
export const portalCookie = '__Host-billhook-portal'

export async function sessionOf(cookies: string | null): Promise<(FoundSession & { isOpen: boolean }) | null> {
  const hash = secretHashIn(cookies, portalCookie)
  const found = hash && (await findSessionBySecret(db(), hash))
  return found && { ...found, isOpen: isOpen(found.session, realNow()) }
}

/** Returns the open session of the browser and extends it. Returns null if no session is open. */
export async function openSessionOf(cookies: string | null): Promise<FoundSession | null> {
  const found = await sessionOf(cookies)
  if (!found?.isOpen) return null
  const now = realNow()
  if (isNewUse(found.session, now)) await recordUse(db(), found.session.id, now)
  return found
}
