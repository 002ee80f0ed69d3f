import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { invalid } from '../../kernel/refusal.ts'
import { audited } from '../../modules/audit/audited.ts'
import { commandLine } from '../../modules/audit/command-line.ts'
import type { Actor } from '../../modules/audit/rules/entry.ts'
import { eraseCustomer, findCustomer, lockCustomer, tenantOfCustomer } from '../../modules/customers/store.ts'
import { eraseEmails } from '../../modules/emails/store.ts'
import { eraseSuppressions } from '../../modules/emails/suppressions.ts'
import { type Transaction, transact } from '../../modules/events/transact.ts'
import {
  addressOfErased,
  erasureProblem,
  retainedSince,
  retainedUntil,
  withoutPerson,
} from '../../modules/personal-data/rules/erasure.ts'
import * as store from '../../modules/personal-data/store.ts'
import { eraseDocuments, eraseResponses, forgetAtProvider } from '../../modules/personal-data/tasks.ts'
import { taxIdsOf } from '../../modules/personal-data/tax-ids.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { rewriteAnswers } from '../../platform/http/idempotency.ts'
import { Reschedule, type TaskContext } from '../../platform/jobs/tasks.ts'
import { providerNamed } from '../../providers/index.ts'
import { addressesOf } from './addresses.ts'

export interface Erased {
  readonly customerId: string
  readonly erasedAt: string
  readonly documentsUntil: string | null
}

/**
 * Erases everything that names a customer (GDPR, art. 17), except issued documents, which the law requires us to keep. Refuses with
 * `validation_failed` if the customer is unknown, if a subscription has not ended, or if a payment, a refund, or an email is pending. The call is safe
 * to repeat.
 */
export async function erase(customerId: string, by: Actor = commandLine()): Promise<Erased> {
  const tenant = await tenantOfCustomer(db(), customerId)
  const known = tenant && (await findCustomer(db(), tenant, customerId))
  if (!known) throw invalid('customer', 'There is no customer with this id.')
  const after = ({ erasedAt, documentsUntil }: Erased) => ({ erasedAt, documentsUntil })
  return transact(audited(tenant, by, { action: 'customer.erase', subject: customerId, after }), async (tx) => {
    const { sql, now } = tx
    const customer = await lockCustomer(sql, tenant, customerId)
    if (!customer) throw new Error('the customer was deleted before the erasure could lock it')
    const emails = await eraseEmails(sql, tenant, customerId)
    const problem = erasureProblem({ ...(await store.dealingsOf(sql, customerId)), emails })
    if (problem) throw invalid('customer', problem)
    const taxIds = await taxIdsOf(sql, customerId)
    const sessionIds = await store.portalSessionsOf(sql, customerId)
    await eraseSuppressions(sql, tenant, await addressesOf(sql, tenant, customerId, emails))
    await store.eraseAllButDocuments(sql, tenant, customerId)
    await store.eraseDocumentsBefore(sql, tenant, { customerId, taxIds, before: documentsSince(now) })
    const erasedAt = customer.erasedAt ?? now
    await eraseCustomer(sql, customer, { email: addressOfErased(customerId), erasedAt })
    const responses = { key: customerId, data: { customerId, sessionIds }, dueAt: realNow() }
    await tx.enqueue(eraseResponses, responses)
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

/** Schedules the erasure of the retained documents. Returns the end of the retention of the last document; null if no document is retained. */
async function planDocuments({ sql, enqueue, now }: Transaction, customerId: string): Promise<string | null> {
  const last = await store.lastDocumentAt(sql, customerId)
  if (!last || last < documentsSince(now)) return null
  const until = retainedUntil(last, config().documentRetentionYears)
  await enqueue(eraseDocuments, { key: customerId, data: { customerId }, dueAt: nextYear(now) })
  return toWire(until)
}

const documentsSince = (now: Date): Date => retainedSince(now, config().documentRetentionYears)

const nextYear = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear() + 1, 0, 1))

/** Removes the customer's name from documents whose retention has ended. The task runs on January 1 of each year. */
export async function endDocuments(tenant: TaskContext, { customerId }: { customerId: string }): Promise<void> {
  await transact(tenant, async ({ sql, now }) => {
    const before = documentsSince(now)
    const taxIds = await taxIdsOf(sql, customerId)
    await store.eraseDocumentsBefore(sql, tenant, { customerId, taxIds, before })
    const last = await store.lastDocumentAt(sql, customerId)
    return last && last >= before ? new Reschedule(nextYear(now)) : undefined
  })
}

/** Erases the customer from stored responses of idempotency keys. The call is safe to repeat. */
export async function emptyResponses(
  tenant: TaskContext,
  { customerId, sessionIds }: z.infer<typeof eraseResponses.data>,
): Promise<void> {
  // A response can contain a portal link, which contains the session id without the prefix `portal_session_`.
  const mentions = [customerId, ...sessionIds.map((id) => id.slice(id.lastIndexOf('_') + 1))]
  const isAbout = (body: string) => mentions.some((each) => body.includes(each))
  await rewriteAnswers(tenant, (body) => (isAbout(body) ? withoutPerson(body) : body))
  await transact(tenant, async () => undefined)
}

/** Asks the provider to erase the buyers' data of these payments. The call is safe to repeat. */
export async function forget(
  tenant: TaskContext,
  { customerId, provider, paymentIds }: z.infer<typeof forgetAtProvider.data>,
): Promise<void> {
  const erased = paymentIds ?? (await store.paymentsOf(db(), customerId)).get(provider) ?? []
  await providerNamed(provider)?.forgetBuyers?.(erased)
  await transact(tenant, async () => undefined)
}
