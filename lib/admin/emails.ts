import type { FilteredList } from '../kernel/list.ts'
import { toWire } from '../kernel/moment.ts'
import { liftSuppression, readEmail, resendEmail } from '../modules/emails/operations.ts'
import type { EmailPage, EmailRow } from '../modules/emails/page.ts'
import { emailStatuses } from '../modules/emails/rules/email.ts'
import { isForMember } from '../modules/emails/rules/for-member.ts'
import { holds } from '../modules/emails/rules/suppression.ts'
import { withoutTokens } from '../modules/emails/rules/without-tokens.ts'
import { pageOfEmails, type StoredEmail } from '../modules/emails/store.ts'
import { suppressionsOf } from '../modules/emails/suppressions.ts'
import { db } from '../platform/db/db.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once } from './act.ts'
import { exportOf } from './export.ts'
import { adminList, chosen, type ListParameters } from './list.ts'
import { namedCustomer, namedOrder, namedSubscription } from './names.ts'

export const emailRow = (email: StoredEmail): EmailRow => ({
  id: email.id,
  kind: email.kind,
  to: email.to,
  locale: email.locale,
  status: email.status,
  createdAt: toWire(email.createdAt),
  isResend: email.originalId !== null,
  returned: email.complainedAt ? 'complained' : email.bouncedAt ? 'bounced' : null,
})

export async function emailsPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<FilteredList<EmailRow> | null> {
  const access = await accessTo(place, 'emails', cookies)
  if (!access) return null
  const { path, tenant } = access
  const filter = chosen(emailStatuses, parameters.status)
  const list = await adminList(
    `${path}/emails`,
    { ...parameters, status: filter.status },
    (query, sql) => pageOfEmails(sql, tenant, query, { status: filter.status ?? undefined }),
    emailRow,
  )
  return { ...list, filter, ...exportOf(access, 'emails', { ...filter, ...list.dates }) }
}

/** One email in the language of its recipient. In live mode, the links of an email to a customer contain no tokens. */
export async function emailPage(place: StorefrontPath, id: string, cookies: string | null): Promise<EmailPage | null> {
  const access = await accessTo(place, 'emails/[id]', cookies)
  const email = access && (await readEmail(access.tenant, id))
  if (!access || !email) return null
  const { subject, text, outcome, lastError, orderId, subscriptionId, customerId } = email
  const { tenant } = access
  // Hides the tokens of links in live emails to customers, because these links give access to customer data. Customers
  // of test mode are fictitious, and links to members require a log-in.
  const isOpen = tenant.testmode || isForMember(email.kind)
  const shown = isOpen ? text : withoutTokens(text)
  const mayResend = access.mayDo('email.resend')
  const suppressed = (await suppressionsOf(db(), tenant, email.to))
    .filter(holds)
    .map(({ cause, reason, noticedAt }) => ({
      cause,
      reason,
      noticedAt: toWire(noticedAt),
    }))
  return {
    ...emailRow(email),
    subject,
    text: shown,
    outcome,
    lastError: access.role === null ? lastError : null,
    order: await namedOrder(tenant, orderId),
    subscription: await namedSubscription(tenant, subscriptionId),
    customer: await namedCustomer(tenant, customerId),
    mayResend,
    suppressed,
    formKey: newFormKey(),
  }
}

/** Sends an email again, or removes its address from the suppression list. Takes effect once per rendering of the page. */
export async function submitEmail(
  place: StorefrontPath,
  id: string,
  form: URLSearchParams,
  cookies: string | null,
): Promise<{ redirectTo: string } | null> {
  const access = await accessToForm(place, 'emails/[id]', form.get('intent'), cookies)
  const email = access && (await readEmail(access.tenant, id))
  if (!access || !email) return null
  const page = `${access.path}/emails/${id}`
  const intent = form.get('intent')
  if (intent !== 'resend' && intent !== 'lift') return { redirectTo: page }
  const asked = { path: `/admin/emails/${intent}`, content: id }
  const refusal =
    intent === 'lift'
      ? // The audit log is never deleted, so it must not contain email addresses.
        await once(access, form, { ...asked, action: 'email.lift', subject: access.tenant.storefrontId }, (call) =>
          liftSuppression(access.tenant, email.to, call),
        )
      : await once(access, form, { ...asked, action: 'email.resend', subject: id }, (call) => resendEmail(id, call))
  return { redirectTo: `${page}?${refusal ? `failed=${refusal.code}` : `done=${done[intent]}`}` }
}

const done = { resend: 'resent', lift: 'lifted' } as const
