import type { Locale } from '../../kernel/locale.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { Transaction } from '../events/transact.ts'
import { portalNoticePath } from './link.ts'
import type { EmailContent, EmailStatus } from './rules/email.ts'
import { mayBeSent } from './rules/may-be-sent.ts'
import { whyRequired } from './rules/required.ts'
import * as store from './store.ts'
import { sendEmail } from './tasks.ts'

export interface NewEmail {
  readonly to: string
  readonly locale: Locale
  readonly content: EmailContent
  /** The order with the invoice or credit note that is attached when the email is sent. */
  readonly orderId?: string
  /** The id of the first email with the same document. */
  readonly originalId?: string | null
  /** The subscription that the email is about, if the email has no document. */
  readonly subscriptionId?: string
  /** The transaction with the time of the email, if that time differs from the call's. */
  readonly own?: Transaction
}

/** Returns the email's id, or null if its kind is switched off. */
export const enqueueEmail = async (tx: Transaction, email: NewEmail): Promise<string | null> =>
  (await enqueueEmails(tx, [email]))[0] ?? null

/**
 * Enqueues emails in the outbox, in the caller's transaction: they are sent only after the commit. The row holds the
 * facts; the words are composed outside the transaction, when the email is read or sent. Without a mail server, or for
 * a test-mode recipient that is not listed, the email is kept and can be read on the command line. Kinds that the
 * storefront has switched off are not written. Returns the ids of the written emails.
 */
export async function enqueueEmails(tx: Transaction, emails: readonly NewEmail[]): Promise<string[]> {
  const wanted = await withoutDisabled(tx, emails)
  const written = wanted.map(
    ({ to, locale, content, orderId = null, originalId = null, subscriptionId = null, own = tx }) => ({
      ...idAndContent(own.newId('mail_'), content),
      kind: content.kind,
      locale,
      to,
      status: statusOf(to, tx),
      orderId,
      subscriptionId,
      customerId: content.customerId,
      originalId,
      createdAt: own.now,
    }),
  )
  const leaving = written.filter(({ status }) => status === 'queued')
  await Promise.all([
    store.insertEmails(tx.sql, tx, written),
    tx.enqueueAll(
      sendEmail,
      leaving.map(({ id }) => ({ key: id, data: { mailId: id }, dueAt: realNow() })),
    ),
  ])
  return written.map(({ id }) => id)
}

/** An email to the customer's own address gets its own link to the portal. */
const idAndContent = (id: string, content: EmailContent) => ({
  id,
  body: {
    content:
      content.opensPortal && 'portalUrl' in content
        ? { ...content, portalUrl: pageUrl(portalNoticePath(id)) }
        : content,
  },
})

/** Queries the storefront's choice only for kinds that can be switched off: a receipt costs no query. */
async function withoutDisabled({ sql, storefrontId }: Transaction, emails: readonly NewEmail[]) {
  if (emails.every(({ content }) => whyRequired[content.kind] !== null)) return emails
  const disabled = await store.disabledKinds(sql, storefrontId)
  return emails.filter(({ content }) => !disabled.has(content.kind))
}

export function statusOf(to: string, { testmode }: Pick<Transaction, 'testmode'>): EmailStatus {
  const { mail: server, testMailTo } = config()
  return server !== null && mayBeSent(to, { testmode, testMailTo }) ? 'queued' : 'kept'
}
