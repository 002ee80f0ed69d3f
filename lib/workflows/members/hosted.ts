import { writeAudit } from '../../modules/audit/write.ts'
import { type Browser, beginSession, type Next, passwords } from '../../modules/operators/begin-session.ts'
import { acceptInvitation, findInvitation, lockInvitation } from '../../modules/operators/members.ts'
import type { InvitationPage } from '../../modules/operators/page.ts'
import { hashPassword, isLongEnough } from '../../modules/operators/password.ts'
import { isOpen } from '../../modules/operators/rules/invitation.ts'
import { findOperator, insertOperator } from '../../modules/operators/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { secretHash } from '../../platform/http/browser-secret.ts'
import { Busy } from '../../platform/work-queue.ts'
import { invitationPath } from './link.ts'

/** The invitation behind a link, and whether it can be accepted: an address that has a log-in by now cannot get another. */
async function find(token: string) {
  const hash = secretHash(token)
  const found = hash && (await findInvitation(db(), hash))
  if (!found) return null
  const { invitation } = found
  const isUnused = isOpen(invitation, realNow())
  const isTaken = isUnused && (await findOperator(db(), { email: invitation.email })) !== null
  return { ...found, isTaken, isUsable: isUnused && !isTaken }
}

/** The page behind the link of an invitation. Nothing is used up by looking at it. Null if the link is unknown. */
export async function invitationPage(token: string): Promise<InvitationPage | null> {
  const found = await find(token)
  if (!found) return null
  const { invitation, merchant, isUsable, isTaken } = found
  if (isTaken) return { state: 'taken', merchant, email: invitation.email }
  if (!isUsable) return { state: 'over' }
  return { state: 'open', merchant, email: invitation.email, role: invitation.role }
}

/** The HTTP status of that page. */
export async function invitationStatus(token: string): Promise<200 | 404 | 410> {
  const page = await invitationPage(token)
  if (!page) return 404
  return page.state === 'open' ? 200 : 410
}

/**
 * Accepts an invitation: sets the password of a new log-in, and leads to the set-up of its second factor. Of any number
 * of calls at once, one does. Null if the link is unknown.
 */
export async function submitInvitation(token: string, form: URLSearchParams, browser: Browser): Promise<Next | null> {
  const found = await find(token)
  if (!found) return null
  const page = invitationPath(token)
  if (!found.isUsable) return { redirectTo: page }
  const password = form.get('password') ?? ''
  if (!isLongEnough(password)) return { redirectTo: `${page}?problem=password` }
  try {
    const passwordHash = await passwords.run(browser.address, () => hashPassword(password))
    return (await accept(found.invitation.id, passwordHash, browser)) ?? { redirectTo: page }
  } catch (error) {
    if (!(error instanceof Busy)) throw error
    return { redirectTo: `${page}?problem=busy` }
  }
}

/** Null if it was accepted or withdrawn meanwhile, or if the address has a log-in by now. */
const accept = (id: string, passwordHash: string, browser: Browser): Promise<Next | null> =>
  db().$transaction(async (sql) => {
    const invitation = await lockInvitation(sql, id)
    const now = realNow()
    if (!invitation || !isOpen(invitation, now)) return null
    const { merchantId, email, role, locale } = invitation
    const operatorId = newId('operator_', now)
    const made = { id: operatorId, email, passwordHash, createdAt: now, membership: { merchantId, role }, locale }
    if (!(await insertOperator(sql, made))) return null
    await acceptInvitation(sql, id, now)
    const next = await beginSession(sql, operatorId, browser)
    const actor = { kind: 'member', id: operatorId, address: browser.address } as const
    const change = { action: 'member.accept_invitation', subject: operatorId, before: null }
    await writeAudit(sql, actor, { ...change, after: { invitation: id, merchantId, role } })
    return next
  })
