import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import type { TaskContext } from '../../platform/jobs/tasks.ts'
import { log } from '../../platform/log.ts'
import { requireStorefront } from '../accounts/store.ts'
import { transact } from '../events/transact.ts'
import { mayBeSent } from './rules/may-be-sent.ts'
import { outcomeOf } from './rules/outcome.ts'
import { EmailRejected, send } from './smtp.ts'
import * as store from './store.ts'

/**
 * Sends a queued email outside any transaction, and records it in one that ends the task. If the process dies in
 * between, the task remains, and the email is sent again under the same Message-ID. Throws when the server does not
 * take it now, so that it is tried again. An email that the server refuses for good is recorded as `refused`, and an
 * email of test mode that may not be sent (any more) as `kept`.
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

/**
 * For operators: the newest emails of a storefront, of one mode or both, with their outcome. Refuses an unknown
 * storefront.
 */
export async function listEmails(
  storefrontId: string,
  { testmode, limit = 50 }: { testmode?: boolean; limit?: number } = {},
): Promise<(store.StoredEmail & { readonly outcome: string })[]> {
  await requireStorefront(db(), storefrontId)
  const mails = await store.recentEmails(db(), storefrontId, testmode, limit)
  return mails.map((mail) => ({ outcome: outcomeOf(mail), ...mail }))
}
