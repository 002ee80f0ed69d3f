import { toWire } from '../../kernel/moment.ts'
import { invalid } from '../../kernel/refusal.ts'
import { chargebackResource } from '../../modules/chargebacks/resource.ts'
import { findChargeback } from '../../modules/chargebacks/store.ts'
import { checkoutResource } from '../../modules/checkouts/resource.ts'
import { findCheckout, paidOrderIds } from '../../modules/checkouts/store.ts'
import { notesOf } from '../../modules/customers/note-store.ts'
import { customerResource } from '../../modules/customers/resource.ts'
import { findCustomer, tenantOfCustomer } from '../../modules/customers/store.ts'
import { emailsOfCustomer, type StoredEmail } from '../../modules/emails/store.ts'
import { suppressionsOf } from '../../modules/emails/suppressions.ts'
import { earlierVersions } from '../../modules/invoice-updates/store.ts'
import { orderResource } from '../../modules/orders/resource.ts'
import { findShownOrders } from '../../modules/orders/store.ts'
import { findWithdrawals } from '../../modules/orders/withdrawals.ts'
import * as store from '../../modules/personal-data/store.ts'
import { emailChangesOf } from '../../modules/portal/email-changes.ts'
import { sessionsOf } from '../../modules/portal/store.ts'
import { refundResource } from '../../modules/refunds/resource.ts'
import { findRefund } from '../../modules/refunds/store.ts'
import { withOwed } from '../../modules/subscriptions/owed.ts'
import { shownSubscription } from '../../modules/subscriptions/resource.ts'
import { findSubscriptions } from '../../modules/subscriptions/store.ts'
import { findCheck, findEvidence } from '../../modules/tax/store.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { addressesOf } from './addresses.ts'

/** Exports all data about a customer (GDPR, art. 15 and 20), as resources of the API. Refuses with `validation_failed` if the customer is unknown. */
export async function exportCustomer(customerId: string) {
  const tenant = await tenantOfCustomer(db(), customerId)
  const customer = tenant && (await findCustomer(db(), tenant, customerId))
  if (!customer) throw invalid('customer', 'There is no customer with this id.')
  const ids = await store.dealingsOf(db(), customerId)
  const idsOf = (things: readonly { id: string }[]) => things.map(({ id }) => id)
  const orders = await findShownOrders(db(), tenant, idsOf(ids.orders))
  const subscriptions = await findSubscriptions(db(), tenant, idsOf(ids.subscriptions))
  const refunds = await each(idsOf(ids.refunds), (id) => findRefund(db(), tenant, id))
  const chargebacks = await each(idsOf(ids.chargebacks), (id) => findChargeback(db(), tenant, id))
  const checkouts = await each(idsOf(ids.checkouts), (id) => findCheckout(db(), tenant, id))
  const paid = await paidOrderIds(db(), idsOf(checkouts))
  const emails = await emailsOfCustomer(db(), tenant, customerId)
  const addresses = await addressesOf(db(), tenant, customerId, emails)
  return {
    customer: customerResource(customer),
    locale: customer.locale,
    timeZone: customer.timeZone,
    erasedAt: customer.erasedAt && toWire(customer.erasedAt),
    emailChanges: (await emailChangesOf(db(), tenant, customerId)).map(({ from, to, createdAt, confirmedAt }) => ({
      from,
      to,
      createdAt,
      confirmedAt,
    })),
    notes: (await notesOf(db(), tenant, customerId)).map(({ text, createdAt }) => ({ text, createdAt })),
    portalSessions: await sessionsOf(db(), tenant, customerId),
    checkouts: checkouts.map((checkout) => checkoutResource(checkout, paid.get(checkout.id) ?? null)),
    forms: await store.formsOf(db(), customerId),
    subscriptions: (await withOwed(db(), subscriptions)).map(shownSubscription),
    cancellations: (await store.feedbackOf(db(), customerId)).map(
      ({ subscription_id, reason, comment, created_at }) => ({
        subscriptionId: subscription_id,
        reason,
        comment,
        createdAt: created_at,
      }),
    ),
    orders: orders.map(orderResource),
    refunds: refunds.map(refundResource),
    chargebacks: chargebacks.map(chargebackResource),
    documents: await each(idsOf(orders), (id) => documentData(tenant, id)),
    emails: emails.map(emailInExport),
    suppressions: (await each([...addresses], (address) => suppressionsOf(db(), tenant, address))).flat(),
  }
}

async function documentData(tenant: Tenant, orderId: string) {
  const [versions, withdrawals, evidence] = [
    await earlierVersions(db(), orderId),
    await findWithdrawals(db(), orderId),
    await findEvidence(db(), orderId),
  ]
  if (versions.length === 0 && withdrawals.length === 0 && !evidence) return null
  const check = evidence?.taxIdCheckId ? await findCheck(db(), tenant, evidence.taxIdCheckId) : null
  const { tenant: _, ...taxEvidence } = evidence ?? { tenant }
  return { orderId, earlierVersions: versions, withdrawals, taxEvidence: evidence && { ...taxEvidence, check } }
}

const emailInExport = ({ id, kind, to, locale, status, body, createdAt, sentAt }: StoredEmail) => ({
  id,
  kind,
  to,
  locale,
  status,
  createdAt,
  sentAt,
  ...('text' in body && { subject: body.subject, text: body.text }),
})

async function each<Given, Found>(
  given: readonly Given[],
  find: (one: Given) => Promise<Found | null>,
): Promise<Found[]> {
  const found: Found[] = []
  for (const one of given) {
    const result = await find(one)
    if (result !== null) found.push(result)
  }
  return found
}
