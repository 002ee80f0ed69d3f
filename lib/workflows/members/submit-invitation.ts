import { writeAudit } from '../../modules/audit/write.ts'
import { type Browser, beginSession, type Next, passwords } from '../../modules/operators/begin-session.ts'
import { acceptInvitation, lockInvitation } from '../../modules/operators/members.ts'
import { hashPassword, isLongEnough } from '../../modules/operators/password.ts'
import { isOpen } from '../../modules/operators/rules/invitation.ts'
import { insertOperator } from '../../modules/operators/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/identity.ts'
import { db } from '../../platform/db/db.ts'
import { Busy } from '../../platform/work-queue.ts'
import { invitationPath } from './link.ts'
import { findInvited } from './load-invitation.ts'

/** Only one of several concurrent calls succeeds. Returns null if the link is unknown. */
export async function submitInvitation(token: string, form: URLSearchParams, browser: Browser): Promise<Next | null> {
  const found = await findInvited(token)
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

/** Returns null if the invitation ended in the meantime, or if the address now has a log-in. */
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
