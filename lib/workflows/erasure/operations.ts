import type { z } from 'zod'
import { erasedDomain } from '../../kernel/email.ts'
import { toWire } from '../../kernel/moment.ts'
import { invalid } from '../../kernel/refusal.ts'
import { audited } from '../../modules/audit/audited.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import type { Actor } from '../../modules/audit/rules/entry.ts'
import { eraseCustomer, findCustomer, lockCustomer, tenantOfCustomer } from '../../modules/customers/store.ts'
import { eraseEmails } from '../../modules/emails/store.ts'
import { eraseSuppressions } from '../../modules/emails/suppressions.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import { obstacles, retainedSince, retainedUntil } from '../../modules/personal-data/rules/erasure.ts'
import * as store from '../../modules/personal-data/store.ts'
import { eraseDocuments, forgetAtProvider } from '../../modules/personal-data/tasks.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { providerNamed } from '../../providers/index.ts'
import { addressesOf } from './addresses.ts'
import { findEmails, withLaterEmails } from './emails.ts'

/** What is left after an erasure. Moments are in ISO 8601. */
export interface Erased {
  readonly customerId: string
  readonly erasedAt: string
  /** Until when issued documents name the buyer; null if there are none. */
  readonly documentsUntil: string | null
}

/**
 * For operators: erases what names a customer (GDPR, art. 17), but for issued documents, which the law keeps. Refuses
 * `validation_failed` on an unknown customer, and while a contract lasts or a payment, a refund or an email is under way. It can
 * be repeated.
 */
export async function erase(customerId: string, by: Actor = commandLine()): Promise<Erased> {
  const tenant = await tenantOfCustomer(db(), customerId)
  const known = tenant && (await findCustomer(db(), tenant, customerId))
  if (!known) throw invalid('customer', 'There is no customer with this id.')
  const found = await findEmails(tenant, known)
  const after = ({ erasedAt, documentsUntil }: Erased) => ({ erasedAt, documentsUntil })
  return transact(audited(tenant, by, { action: 'customer.erase', subject: customerId, after }), async (tx) => {
    const { sql, now } = tx
    const customer = await lockCustomer(sql, tenant, customerId)
    if (!customer) throw new Error('a customer vanished')
    const emails = await withLaterEmails(sql, tenant, customer, found)
    const against = obstacles({ ...(await store.standingOf(sql, customerId)), emails })
    if (against.length > 0) throw invalid('customer', `These must end first: ${against.slice(0, 10).join(' ')}`)
    await eraseEmails(sql, emails)
    await eraseSuppressions(sql, tenant, await addressesOf(sql, tenant, customerId))
    await store.eraseAllButDocuments(sql, tenant, customerId)
    const erasedAt = customer.erasedAt ?? now
    await eraseCustomer(sql, { id: customerId, email: addressOfErased(customerId), at: erasedAt })
    for (const [provider, paymentIds] of await store.paymentsOf(sql, customerId))
      if (providerNamed(provider)?.forgetBuyers)
        await tx.enqueue(forgetAtProvider, {
          key: `${customerId} ${provider}`,
          data: { customerId, provider, paymentIds },
          dueAt: realNow(),
        })
    return { customerId, erasedAt: toWire(erasedAt), documentsUntil: await planDocuments(tx, customerId) }
  })
}

/** No two customers share it, and none can be given it otherwise. */
const addressOfErased = (customerId: string): string => `${customerId.toLowerCase()}@${erasedDomain}`

/** Plans when the documents' time ends, and returns when that of the last one does. */
async function planDocuments({ sql, enqueue, now }: Transaction, customerId: string): Promise<string | null> {
  const last = await store.lastDocumentAt(sql, customerId)
  if (!last) return null
  const until = retainedUntil(last, config().documentRetentionYears)
  await enqueue(eraseDocuments, { key: customerId, data: { customerId }, dueAt: nextYear(now) })
  return toWire(until)
}

const nextYear = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear() + 1, 0, 1))

/** The task of each new year: the documents of an erased customer that are old enough no longer name them. */
export async function endDocuments(tenant: TaskContext, { customerId }: { customerId: string }): Promise<void> {
  await transact(tenant, async ({ sql, now }) => {
    const before = retainedSince(now, config().documentRetentionYears)
    await store.eraseDocumentsBefore(sql, tenant, { customerId, before })
    const last = await store.lastDocumentAt(sql, customerId)
    return last && last >= before ? new Reschedule(nextYear(now)) : undefined
  })
}

/** The task that has a payment provider forget the buyer. A repeated call changes nothing. */
export async function forget(
  tenant: TaskContext,
  { customerId, provider, paymentIds }: z.infer<typeof forgetAtProvider.data>,
): Promise<void> {
  const erased = paymentIds ?? (await store.paymentsOf(db(), customerId)).get(provider) ?? []
  await providerNamed(provider)?.forgetBuyers?.(erased)
  await transact(tenant, async () => undefined)
}
