import { customerEmail } from '../../kernel/email.ts'
import { toWire } from '../../kernel/moment.ts'
import {
  type Customer,
  findCustomer,
  findCustomerByEmail,
  lockCustomer,
  saveCustomer,
} from '../../modules/customers/store.ts'
import { enqueueEmail } from '../../modules/emails/enqueue.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { openSessionOf } from '../../modules/portal/browser.ts'
import * as changes from '../../modules/portal/email-changes.ts'
import { portalSignInPath } from '../../modules/portal/link.ts'
import type { PortalEmailChangePage, PortalEmailPage } from '../../modules/portal/page.ts'
import {
  type EmailChange,
  emailChangeState,
  isRepetition,
  mayChangeAgain,
  newEmailChange,
} from '../../modules/portal/rules/email-change.ts'
import { maskedEmail } from '../../modules/portal/rules/masked-email.ts'
import { endSessionsOf, type FoundSession } from '../../modules/portal/store.ts'
import { emailChangeLink } from '../../modules/portal/tasks.ts'
import { now as clockNow, realNow, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { formStateOf, leaveFor, type Next } from '../../platform/http/form-state.ts'
import { customerAsRecipient } from '../customer-emails/recipients.ts'
import { enter, noticed, portalFrame } from '../portal/enter.ts'
import { frameOf, localeOf } from '../portal-sign-in/frame.ts'
import type { Visitor } from '../sale/hosted.ts'

const page = '/portal/email'

/** The page on which a customer asks for another address. Null without an open session. */
export async function emailPage(form: string | null, visitor: Visitor): Promise<PortalEmailPage | null> {
  const entered = await enter(visitor.header('cookie'))
  if (!entered) return null
  const { session, tenant, customer, now } = entered
  const { typed, problems } = formStateOf(session.id, form, visitor.header('cookie'))
  const [newest] = await changes.newestEmailChanges(db(), tenant, customer.id)
  const isWaiting = newest && emailChangeState(newest, { email: customer.email, now }) === 'usable'
  return {
    ...(await portalFrame(entered, visitor)),
    submitUrl: `${page}/submit`,
    typed: typed.email ?? '',
    problem: (['invalid', 'same', 'busy'] as const).find((each) => each === problems.email) ?? null,
    waiting: isWaiting && newest.to !== '' ? { email: newest.to, until: toWire(newest.expiresAt) } : null,
  }
}

/**
 * Takes a wish for another address. The answer does not show whether somebody has it: a task looks that up. Returns
 * where the form leads; null without an open session, and if the customer was just erased. Safe to repeat.
 */
export async function submitEmail(form: URLSearchParams, cookies: string | null): Promise<Next | null> {
  const entered = await enter(cookies)
  if (!entered) return null
  const { session, tenant, customer } = entered
  const typed = (form.get('email') ?? '').slice(0, 300)
  const to = customerEmail(typed)
  const problem = to === null ? 'invalid' : await transact(tenant, (tx) => wish(tx, customer.id, to))
  if (problem === 'erased') return null
  if (problem === null) return { redirectTo: noticed(page, 'emailSent') }
  return leaveFor(session.id, page, { typed: { email: typed }, problems: { email: problem } })
}

/** Records a wish in place of an earlier one. Returns why it cannot be; null if it can. */
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

interface Found {
  readonly change: EmailChange
  readonly tenant: Tenant
  readonly customer: Customer
}

async function find(token: string): Promise<Found | null> {
  const id = changes.openEmailChangeToken(token)
  const found = id === null ? null : await changes.findEmailChangeAnywhere(db(), id)
  const customer = found && (await findCustomer(db(), found.tenant, found.change.customerId))
  return found && customer && !customer.erasedAt ? { ...found, customer } : null
}

async function stateOf({ change, tenant, customer }: Found): Promise<PortalEmailChangePage['state']> {
  const state = emailChangeState(change, { email: customer.email, now: await clockNow(db(), tenant) })
  return state === 'usable' && (await findCustomerByEmail(db(), tenant, change.to)) ? 'taken' : state
}

/** The page behind the link to a new address. Nothing is changed by looking at it. Null if the link is unknown. */
export async function emailChangePage(token: string, visitor: Visitor): Promise<PortalEmailChangePage | null> {
  const found = await find(token)
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

/** The HTTP status of that page. */
export async function emailChangeStatus(token: string): Promise<200 | 404 | 410> {
  const found = await find(token)
  if (!found) return 404
  const state = await stateOf(found)
  return state === 'usable' || state === 'confirmed' ? 200 : 410
}

/** The open session of the same customer in this browser. */
async function ownSession({ change, tenant }: Found, visitor: Visitor): Promise<FoundSession | null> {
  const open = await openSessionOf(visitor.header('cookie'))
  const isOwn = open?.session.customerId === change.customerId && open.tenant.testmode === tenant.testmode
  return isOwn ? open : null
}

/**
 * Changes the address of a customer, once for a link, and notifies the one before. The links and sessions of the customer
 * end, since a reader of the former mailbox could open them, but for the session of this browser. Invoices keep the
 * address that they were issued with. Null if the link is unknown.
 */
export async function submitEmailChange(token: string, _form: URLSearchParams, visitor: Visitor): Promise<Next | null> {
  const found = await find(token)
  if (!found) return null
  const own = await ownSession(found, visitor)
  await transact(found.tenant, (tx) => changeEmail(tx, found.change.id, own?.session.id ?? null))
  return { redirectTo: changes.emailChangePath(found.change.id) }
}

async function changeEmail(tx: Transaction, changeId: string, ownSessionId: string | null): Promise<void> {
  const { sql, now, ...tenant } = tx
  const known = await changes.findEmailChangeAnywhere(sql, changeId)
  const customer = known && (await lockCustomer(sql, tenant, known.change.customerId))
  // Read again behind the lock of the customer, which each change of the address takes.
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
