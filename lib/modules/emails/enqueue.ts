import type { Locale } from '../../kernel/locale.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Transaction } from '../events/transact.ts'
import { compose } from './compose.ts'
import type { EmailContent } from './rules/email.ts'
import { mayBeSent } from './rules/may-be-sent.ts'
import * as store from './store.ts'
import { sendEmail } from './tasks.ts'

/**
 * Enqueues an email in the outbox, in the caller's transaction: it is sent only after that has committed. If no mail
 * server is set, or if an email of test mode may not be sent, it is kept and can be read on the command line. `to` is
 * an address in canonical form. Returns the id.
 */
export async function enqueueEmail(
  tx: Transaction,
  { to, locale, mail }: { to: string; locale: Locale; mail: EmailContent },
): Promise<string> {
  const id = tx.newId('mail_')
  const { mail: server, testMailTo } = config()
  const leaves = server !== null && mayBeSent(to, { testmode: tx.testmode, testMailTo })
  await store.insertEmail(tx.sql, tx, {
    id,
    kind: mail.kind,
    locale,
    status: leaves ? 'queued' : 'kept',
    createdAt: tx.now,
    to,
    ...(await compose(mail, locale, tx.testmode)),
  })
  if (leaves) await tx.enqueue(sendEmail, { key: id, data: { mailId: id }, dueAt: realNow() })
  return id
}
