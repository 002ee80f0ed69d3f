import { customerEmail } from '../../kernel/email.ts'
import { toWire } from '../../kernel/moment.ts'
import { findCustomerByEmail, lockCustomer, saveCustomer } from '../../modules/customers/store.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import * as changes from '../../modules/portal/email-changes.ts'
import type { PortalEmailPage } from '../../modules/portal/page.ts'
import {
  emailChangeState,
  isRepetition,
  mayChangeAgain,
  newEmailChange,
} from '../../modules/portal/rules/email-change.ts'
import { maskedEmail } from '../../modules/portal/rules/masked-email.ts'
import { endSessionsOf } from '../../modules/portal/store.ts'
import { emailChangeLink } from '../../modules/portal/tasks.ts'
import { byCustomer, realNow } from '../../platform/clock/clock.ts'
import { leaveFor, type Next } from '../../platform/http/form-state.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { customerAsRecipient } from '../customer-emails/recipients.ts'
import { enter, noticed } from '../portal/enter.ts'
import { emailPath, findChange, ownSession } from './find-change.ts'

/** A task checks the address later, so the response does not reveal whether another customer has the address. The call is safe to repeat. */
export async function submitEmail(form: URLSearchParams, cookies: string | null): Promise<Next | null> {
  const entered = await enter(cookies)
  if (!entered) return null
  const { session, tenant, customer } = entered
  const typed = (form.get('email') ?? '').slice(0, 300)
  const to = customerEmail(typed)
  const problem = to === null ? 'invalid' : await transact(tenant, (tx) => wish(tx, customer.id, to))
  if (problem === 'erased') return null
  if (problem === null) return { redirectTo: noticed(emailPath, 'emailSent') }
  return leaveFor(session.id, emailPath, { typed: { email: typed }, problems: { email: problem } })
}

/**
 * Requests a change of the customer's address to `to`. The new request replaces an earlier request. Returns the
 * problem, or null.
 */
async function wish(tx: Transaction, customerId: string, to: string): Promise<PortalEmailPage['problem'] | 'erased'> {
  const { sql, now, ...tenant } = tx
  const customer = await lockCustomer(sql, tenant, customerId)
  if (!customer || customer.erasedAt) return 'erased'
  if (customer.email === to) return 'same'
  const before = await changes.newestEmailChanges(sql, tenant, customerId)
  if (isRepetition(before[0] ?? null, to, now)) return null
  if (
    !mayChangeAgain(
      before.map(({ createdAt }) => createdAt),
      now,
    )
  )
    return 'busy'
  await changes.endEmailChanges(sql, tenant, customerId, now)
  const change = newEmailChange({ id: tx.newId('email_change_'), customerId, from: customer.email, to }, now)
  await changes.insertEmailChange(sql, tenant, change)
  await tx.enqueue(emailChangeLink, { key: change.id, data: { changeId: change.id }, dueAt: realNow() })
  return null
}

/**
 * Changes the customer's address. Ends the customer's links, and all sessions except the confirming session, because a
 * reader of the old mailbox could use them. Returns null if the link is unknown.
 */
export async function submitEmailChange(token: string, _form: URLSearchParams, visitor: Visitor): Promise<Next | null> {
  const found = await findChange(token)
  if (!found) return null
  const own = await ownSession(found, visitor)
  await transact(byCustomer(found.tenant), (tx) => changeEmail(tx, found.change.id, own?.session.id ?? null))
  return { redirectTo: changes.emailChangePath(found.change.id) }
}

async function changeEmail(tx: Transaction, changeId: string, ownSessionId: string | null): Promise<void> {
  const { sql, now, ...tenant } = tx
  const known = await changes.findEmailChangeAnywhere(sql, changeId)
  const customer = known && (await lockCustomer(sql, tenant, known.change.customerId))
  // Every change of the address takes the lock of the customer, so the request is read again under the lock.
  const change = customer && (await changes.findEmailChangeAnywhere(sql, changeId))?.change
  if (!change || customer.erasedAt || emailChangeState(change, { email: customer.email, now }) !== 'usable') return
  if (await findCustomerByEmail(sql, tenant, change.to)) return
  await saveCustomer(sql, { ...customer, email: change.to })
  await changes.confirmEmailChange(sql, change.id, now)
  await changes.endEmailChanges(sql, tenant, customer.id, now)
  await endSessionsOf(sql, tenant, customer.id, { at: realNow(), except: ownSessionId })
  const { locale, common } = await customerAsRecipient(tx, customer)
  const changed = { kind: 'email_changed', maskedEmail: maskedEmail(change.to), changedAt: toWire(now) } as const
  await enqueueEmail(tx, { to: change.from, locale, content: { ...common, ...changed } })
}
