import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { toWire } from '../../kernel/moment.ts'
import { findCustomerByEmail } from '../../modules/customers/store.ts'
import * as changes from '../../modules/portal/email-changes.ts'
import { portalSignInPath } from '../../modules/portal/link.ts'
import type { PortalEmailChangePage, PortalEmailPage } from '../../modules/portal/page.ts'
import { emailChangeState } from '../../modules/portal/rules/email-change.ts'
import { maskedEmail } from '../../modules/portal/rules/masked-email.ts'
import { now as clockNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { formStateOf } from '../../platform/http/form-state.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { enterPage, inSession } from '../portal/enter.ts'
import { frameOf, localeOf } from '../portal-sign-in/frame.ts'
import { emailPath, type FoundChange, findChange, ownSession } from './find-change.ts'

export async function emailPage(form: string | null, visitor: Visitor): Promise<PortalEmailPage | null> {
  const entered = await enterPage(visitor)
  if (!entered) return null
  const { session, tenant, customer, now } = entered
  const { typed, problems } = formStateOf(session.id, form, visitor.header('cookie'))
  const [newest] = await changes.newestEmailChanges(db(), tenant, customer.id)
  const isWaiting = newest && emailChangeState(newest, { email: customer.email, now }) === 'usable'
  return {
    ...entered.frame,
    submitUrl: `${emailPath}/submit`,
    typed: typed.email ?? '',
    problem: (['invalid', 'same', 'busy'] as const).find((each) => each === problems.email) ?? null,
    waiting: isWaiting && newest.to !== '' ? { email: newest.to, until: toWire(newest.expiresAt) } : null,
  }
}

async function stateOf({ change, tenant, customer }: FoundChange): Promise<PortalEmailChangePage['state']> {
  const state = emailChangeState(change, { email: customer.email, now: await clockNow(db(), tenant) })
  return state === 'usable' && (await findCustomerByEmail(db(), tenant, change.to)) ? 'taken' : state
}

export async function emailChangePage(token: string, visitor: Visitor): Promise<PortalEmailChangePage | null> {
  const found = await findChange(token)
  if (!found) return null
  const { change, tenant } = found
  const own = await ownSession(found, visitor)
  return {
    ...(await frameOf(tenant, await localeOf({ session: change, tenant }, visitor))),
    maskedEmail: maskedEmail(change.to),
    submitUrl: `${changes.emailChangePath(change.id)}/submit`,
    state: await stateOf(found),
    portalUrl: own ? '/portal' : portalSignInPath(tenant),
  }
}

export async function loadEmailChange(token: string, visitor: Visitor): Promise<Loaded<PortalEmailChangePage>> {
  const view = await emailChangePage(token, visitor)
  if (!view) return unknownLink
  return { status: view.state === 'usable' || view.state === 'confirmed' ? 200 : 410, view }
}

export const loadEmail = async (visitor: Visitor, query: URLSearchParams) =>
  inSession(await emailPage(query.get('form'), visitor), visitor)
