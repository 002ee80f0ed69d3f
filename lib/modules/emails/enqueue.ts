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
  /** The invoice or credit note of this order is attached when the email is sent. */
  readonly orderId?: string
  /** The id of the original email; set for a resend. */
  readonly originalId?: string | null
  readonly subscriptionId?: string
  readonly own?: Transaction
}

export const enqueueEmail = async (tx: Transaction, email: NewEmail): Promise<string | null> =>
  (await enqueueEmails(tx, [email]))[0] ?? null

/**
 * Stores emails in the caller's transaction. The emails are sent after the commit. `compose` writes the text when an email is read or sent. Without
 * a mail server, or in test mode for an address outside `testMailTo`, an email is stored but not sent. Omits email kinds that the storefront has switched off.
 * Returns the ids of the stored emails.
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

const idAndContent = (id: string, content: EmailContent) => ({
  id,
  body: {
    content:
      content.opensPortal && 'portalUrl' in content
        ? { ...content, portalUrl: pageUrl(portalNoticePath(id)) }
        : content,
  },
})

async function withoutDisabled({ sql, storefrontId }: Transaction, emails: readonly NewEmail[]) {
  if (emails.every(({ content }) => whyRequired[content.kind] !== null)) return emails
  const disabled = await store.disabledKinds(sql, storefrontId)
  return emails.filter(({ content }) => !disabled.has(content.kind))
}

export function statusOf(to: string, { testmode }: Pick<Transaction, 'testmode'>): EmailStatus {
  const { mail: server, testMailTo } = config()
  return server !== null && mayBeSent(to, { testmode, testMailTo }) ? 'queued' : 'kept'
}
