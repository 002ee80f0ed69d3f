import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { transact } from '../../platform/jobs/transact.ts'
import { log } from '../../platform/log.ts'
import { requireStorefront } from '../accounts/store.ts'
import { mayBeSent } from './rules/may-be-sent.ts'
import { outcomeOf } from './rules/outcome.ts'
import { EmailRejected, send } from './smtp.ts'
import * as store from './store.ts'

/**
 * Sends a queued mail: outside any transaction, recorded in one that ends the task. A process that dies in between leaves
 * the task, and the mail is sent again under the same Message-ID. Throws when the server does not take it now, so that it
 * is tried again; what the server refuses for good is recorded as `refused`, and a mail of test mode that may not leave
 * (any more) as `kept`.
 */
export async function deliverEmail(tenant: TaskContext, { mailId }: { mailId: string }): Promise<void> {
  const mail = await store.findEmail(db(), tenant, mailId)
  if (mail?.status !== 'queued') return transact(tenant, async () => undefined)
  const outcome = await attempt(mail)
  await transact(tenant, ({ sql }) => store.finishEmail(sql, mailId, outcome))
}

async function attempt(mail: store.StoredEmail): Promise<store.EmailOutcome> {
  const { mail: settings, testMailTo } = config()
  if (!mayBeSent(mail.to, { testmode: mail.testmode, testMailTo })) return { status: 'kept' }
  if (!settings) throw new Error('A mail waits to be sent, but SMTP_URL is not set.')
  try {
    await send(settings, mail)
    return { status: 'sent', sentAt: realNow() }
  } catch (error) {
    if (!(error instanceof EmailRejected && error.forGood)) throw error
    log.warn({ mailId: mail.id, error: error.message }, 'mail refused')
    return { status: 'refused' }
  }
}

/** For operators: the newest mails of a storefront, of one mode or both, and what became of them. Refuses an unknown storefront. */
export async function listEmails(
  storefrontId: string,
  { testmode, limit = 50 }: { testmode?: boolean; limit?: number } = {},
): Promise<(store.StoredEmail & { readonly outcome: string })[]> {
  await requireStorefront(db(), storefrontId)
  const mails = await store.recentEmails(db(), storefrontId, testmode, limit)
  return mails.map((mail) => ({ outcome: outcomeOf(mail), ...mail }))
}
