import type { Locale } from '../../kernel/locale.ts'
import { invalid } from '../../kernel/refusal.ts'
import { realNow, type Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { lastErrors } from '../../platform/jobs/is-queued.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { log } from '../../platform/log.ts'
import { requireStorefront } from '../accounts/store.ts'
import { audited } from '../audit/audited.ts'
import { commandLine } from '../audit/command-line.ts'
import { storefrontInEmail } from '../brand/brand-view.ts'
import { transact } from '../events/transact.ts'
import { attachmentOf } from './attachment.ts'
import { compose } from './compose.ts'
import { statusOf } from './enqueue.ts'
import { emailExamples } from './examples.ts'
import type { Composed, EmailKind } from './rules/email.ts'
import { isForBuyer, isForMember } from './rules/for-member.ts'
import { mayBeSent } from './rules/may-be-sent.ts'
import { outcomeOf, outcomeText } from './rules/outcome.ts'
import { emailKinds, requiredReasons, whyRequired } from './rules/required.ts'
import { isSuppressed } from './rules/suppression.ts'
import { AddressUnsupported, EmailRejected, send } from './smtp.ts'
import * as store from './store.ts'
import { suppressionsOf } from './suppressions.ts'
import { sendEmail } from './tasks.ts'

export { liftSuppression, listSuppressed, receiveEmailNotices } from './notices.ts'

/**
 * Sends the email outside any transaction. The transaction that ends the task records the outcome. If the process stops before this transaction commits, the
 * task sends the email again with the same Message-ID. Throws on a temporary refusal, so that the task is retried.
 */
export async function deliverEmail(tenant: TaskContext, { mailId }: { mailId: string }): Promise<void> {
  const email = await store.findEmail(db(), tenant, mailId)
  if (email?.status !== 'queued') return transact(tenant, async () => undefined)
  const outcome = await attempt(email, tenant)
  await transact(tenant, ({ sql }) => store.finishEmail(sql, email, outcome))
}

const wordsOf = async ({ body, locale, testmode }: store.StoredEmail): Promise<Composed> =>
  'content' in body ? compose(body.content, locale, testmode) : body

async function attempt(email: store.StoredEmail, tenant: Tenant): Promise<store.EmailOutcome> {
  if (!store.isReadable(email)) {
    log.warn({ mailId: email.id }, 'email not sent: the key that encrypted the email is not configured')
    return { status: 'unreadable' }
  }
  const { mail: settings, testMailTo } = config()
  if (!mayBeSent(email.to, { testmode: email.testmode, testMailTo })) return { status: 'kept' }
  if (isSuppressed(email.kind, await suppressionsOf(db(), tenant, email.to))) return { status: 'suppressed' }
  if (!settings) throw new Error('An email is queued, but SMTP_URL is not set.')
  try {
    const words = await wordsOf(email)
    const [attachment, replyTo] = [await attachmentOf(email), await replyToOf(email, tenant)]
    await send(settings, { id: email.id, to: email.to, replyTo, ...words, attachment })
    return { status: 'sent', sentAt: realNow(), words }
  } catch (error) {
    if (error instanceof AddressUnsupported) {
      log.warn({ mailId: email.id }, 'email not sent: the mail server does not offer SMTPUTF8, which the address needs')
      return { status: 'unsupported' }
    }
    if (!(error instanceof EmailRejected && error.forGood)) throw error
    log.warn({ mailId: email.id, error: error.message }, 'the mail server refused the email')
    return { status: 'refused' }
  }
}

async function replyToOf({ kind }: store.StoredEmail, { storefrontId }: Tenant): Promise<string | null> {
  if (!isForBuyer(kind)) return null
  return (await storefrontInEmail(db(), storefrontId)).brand.supportEmail
}

/**
 * `lastError` is the error of the last attempt to send a queued email; null if no attempt failed or if the email is not
 * queued anymore.
 */
export type ListedEmail = Omit<store.StoredEmail, 'body'> &
  Composed & { readonly outcome: string; readonly lastError: string | null }

export async function listEmails(
  storefrontId: string,
  { testmode, limit = 50 }: { testmode?: boolean; limit?: number } = {},
): Promise<ListedEmail[]> {
  await requireStorefront(db(), storefrontId)
  const emails = await store.recentEmails(db(), storefrontId, testmode, limit)
  const errors = await errorsOf(emails)
  return Promise.all(emails.map((email) => listed(email, errors.get(email.id) ?? null)))
}

const errorsOf = (emails: readonly store.StoredEmail[]) =>
  lastErrors(
    db(),
    sendEmail.name,
    emails.filter(({ status }) => status === 'queued').map(({ id }) => id),
  )

export async function readEmail(tenant: Tenant, id: string) {
  const email = await store.findEmail(db(), tenant, id)
  if (!email) return null
  const lastError = (await errorsOf([email])).get(id) ?? null
  return { ...email, outcome: outcomeOf(email), lastError, ...(await wordsOf(email)) }
}

async function listed(email: store.StoredEmail, lastError: string | null): Promise<ListedEmail> {
  const { body: _, ...row } = email
  return { outcome: outcomeText(email), lastError, ...row, ...(await wordsOf(email)) }
}

export async function listKinds(storefrontId: string) {
  await requireStorefront(db(), storefrontId)
  const disabled = await store.disabledKinds(db(), storefrontId)
  return emailKinds.map((kind) => ({ kind, isSent: !disabled.has(kind), required: requiredSentence(kind) }))
}

function requiredSentence(kind: EmailKind): string | null {
  const reason = whyRequired[kind]
  return reason && requiredReasons[reason]
}

/** Switches an email kind on or off in both modes. Throws `validation_failed` for an unknown storefront, and if a required kind is switched off. */
export async function switchKind(
  storefrontId: string,
  kind: EmailKind,
  isSent: boolean,
  call: RequestContext = typed(storefrontId, kind, isSent),
) {
  await requireStorefront(db(), storefrontId)
  const why = requiredSentence(kind)
  if (!isSent && why !== null) throw invalid('kind', `This kind of email cannot be disabled. ${why}`)
  return transact(call, async ({ sql }) => {
    if (isSent) await store.enableKind(sql, storefrontId, kind)
    else await store.disableKind(sql, storefrontId, kind, realNow())
    return { storefrontId, kind, isSent }
  })
}

const typed = (storefrontId: string, kind: EmailKind, isSent: boolean) =>
  audited({ storefrontId, testmode: false }, commandLine(), switchOf(storefrontId, kind, isSent))

export const switchOf = (storefrontId: string, kind: EmailKind, isSent: boolean) => ({
  action: isSent ? ('email.enable' as const) : ('email.disable' as const),
  subject: storefrontId,
  after: () => ({ kind }),
})

export async function previewEmail(kind: EmailKind, locale: Locale, storefrontId?: string): Promise<Composed> {
  const example = emailExamples[kind]
  if (storefrontId === undefined) return compose(example, locale, false)
  await requireStorefront(db(), storefrontId)
  const { storefrontName, brand, termsUrl } = await storefrontInEmail(db(), storefrontId)
  const own = { ...example, storefrontName, ...(!isForMember(kind) && { brand }) }
  return compose('termsUrl' in own ? { ...own, termsUrl } : own, locale, false)
}

const mostResends = 3

/**
 * Sends a new email with the same content. Throws `validation_failed` if the email is unknown, queued, unreadable, or erased, or was resent three times.
 * Without `call`, the audit log names the command line as the actor.
 */
export async function resendEmail(id: string, call?: RequestContext) {
  const tenant = await store.tenantOfEmail(db(), id)
  if (!tenant) throw invalid('email', 'There is no email with this id.')
  return transact(call ?? audited(tenant, commandLine(), { action: 'email.resend', subject: id }), async (tx) => {
    const known = await store.lockEmail(tx.sql, id)
    const original = known?.originalId ? await store.lockEmail(tx.sql, known.originalId) : known
    if (!original) throw invalid('email', 'There is no email with this id.')
    if (!store.isReadable(original))
      throw invalid('email', 'The email cannot be read, because the key that encrypted it is lost.')
    if (original.to === '') throw invalid('email', 'The personal data of the recipient was erased.')
    if (original.status === 'queued') throw invalid('email', 'The email was not sent yet.')
    if ((await store.countResends(tx.sql, original.id)) >= mostResends)
      throw invalid('email', `It was sent again ${mostResends} times already.`)
    const { kind, locale, to, body, orderId, subscriptionId, customerId } = original
    const about = { orderId, subscriptionId, customerId }
    const again = { id: tx.newId('mail_'), kind, locale, to, body, ...about, status: statusOf(to, tx) }
    await store.insertEmails(tx.sql, tx, [{ ...again, originalId: original.id, createdAt: tx.now }])
    if (again.status === 'queued')
      await tx.enqueue(sendEmail, { key: again.id, data: { mailId: again.id }, dueAt: realNow() })
    return { id: again.id, originalId: original.id, kind, status: again.status }
  })
}
