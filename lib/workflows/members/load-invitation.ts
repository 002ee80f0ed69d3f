import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { findInvitation } from '../../modules/operators/members.ts'
import type { InvitationPage } from '../../modules/operators/page.ts'
import { isOpen } from '../../modules/operators/rules/invitation.ts'
import { findOperator } from '../../modules/operators/store.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { secretHash } from '../../platform/http/browser-secret.ts'

/** `isTaken` is true if the address has a log-in, because such an address cannot accept another invitation. */
export async function findInvited(token: string) {
  const hash = secretHash(token)
  const found = hash && (await findInvitation(db(), hash))
  if (!found) return null
  const { invitation } = found
  const isUnused = isOpen(invitation, realNow())
  const isTaken = isUnused && (await findOperator(db(), { email: invitation.email })) !== null
  return { ...found, isTaken, isUsable: isUnused && !isTaken }
}

export async function invitationPage(token: string): Promise<InvitationPage | null> {
  const found = await findInvited(token)
  if (!found) return null
  const { invitation, merchant, isUsable, isTaken } = found
  if (isTaken) return { state: 'taken', merchant, email: invitation.email }
  if (!isUsable) return { state: 'over' }
  return { state: 'open', merchant, email: invitation.email, role: invitation.role }
}

export async function loadInvitation(token: string): Promise<Loaded<InvitationPage>> {
  const view = await invitationPage(token)
  return view ? { status: view.state === 'open' ? 200 : 410, view } : unknownLink
}
