import { ownedBy, type Tenant } from '../../platform/clock/clock.ts'
import { type Sql, updateRows } from '../../platform/db/db.ts'
import { type Fragment, fragment, rawFragment } from '../../platform/db/fragment.ts'
import { checkoutsOf } from './rows.ts'
import { type Dealings, erasedAccount, withoutPerson } from './rules/erasure.ts'
import { eraseTaxIds, taxIdsOfCheckout } from './tax-ids.ts'

/**
 * This file has the statements that find and clear a customer's personal data in tables of other modules. The modules
 * `customers` and `emails` clear their own tables. `docs/personal-data.md` lists all personal data.
 */

export async function dealingsOf(sql: Sql, customerId: string): Promise<Omit<Dealings, 'emails'>> {
  const where = { customer_id: customerId }
  const select = { id: true, status: true } as const
  return {
    subscriptions: await sql.subscriptions.findMany({ where, select }),
    checkouts: await sql.checkouts.findMany({ where, select }),
    orders: await sql.orders.findMany({ where, select }),
    refunds: await sql.refunds.findMany({ where, select }),
    chargebacks: await sql.chargebacks.findMany({ where, select }),
  }
}

export async function addressesOnOrders(sql: Sql, customerId: string): Promise<string[]> {
  const rows = await sql.$queryRaw<{ email: string }[]>`
    SELECT DISTINCT customer_details->>'email' AS email FROM orders
    WHERE customer_id = ${customerId} AND customer_details->>'email' IS NOT NULL`
  return rows.map(({ email }) => email)
}

export async function portalSessionsOf(sql: Sql, customerId: string): Promise<string[]> {
  const rows = await sql.portal_sessions.findMany({ where: { customer_id: customerId }, select: { id: true } })
  return rows.map(({ id }) => id)
}

export async function formsOf(sql: Sql, customerId: string): Promise<StoredForm[]> {
  return sql.$queryRaw<StoredForm[]>`
    SELECT id AS of, billing_address AS prefilled, draft AS typed FROM checkouts
    WHERE id IN (${checkoutsOf(customerId)})
    UNION ALL
    SELECT subscription_id, link.billing_address, link.draft FROM billing_update_links AS link
    JOIN subscriptions ON subscriptions.id = subscription_id WHERE subscriptions.customer_id = ${customerId}
    UNION ALL
    SELECT order_id, NULL, draft FROM invoice_update_links
    JOIN orders ON orders.id = order_id WHERE orders.customer_id = ${customerId} ORDER BY 1`
}

interface StoredForm {
  readonly of: string
  readonly prefilled: unknown
  readonly typed: unknown
}

export const feedbackOf = (sql: Sql, customerId: string) =>
  sql.cancellation_feedback.findMany({
    where: { subscription: { customer_id: customerId } },
    select: { subscription_id: true, reason: true, comment: true, created_at: true },
  })

/** Erases the customer's data except issued documents and the sale evidence of these documents. */
export async function eraseAllButDocuments(sql: Sql, tenant: Tenant, customerId: string): Promise<void> {
  const mine = { customer_id: customerId, ...ownedBy(tenant) }
  await sql.portal_sessions.deleteMany({ where: mine })
  await sql.email_changes.deleteMany({ where: mine })
  await sql.customer_notes.deleteMany({ where: mine })
  await sql.cancellation_feedback.updateMany({ where: { subscription: mine }, data: { comment: null } })
  await sql.$executeRaw`
    UPDATE invoice_update_links SET draft = NULL FROM orders
    WHERE orders.id = order_id AND orders.customer_id = ${customerId} AND draft IS NOT NULL`
  await sql.$executeRaw`
    UPDATE billing_update_links AS link SET draft = NULL, billing_address = NULL FROM subscriptions
    WHERE subscriptions.id = link.subscription_id AND subscriptions.customer_id = ${customerId}
      AND (link.draft IS NOT NULL OR link.billing_address IS NOT NULL)`
  await sql.$executeRaw`
    UPDATE checkouts SET draft = NULL, billing_address = ${countryOnly('billing_address')}
    WHERE id IN (${checkoutsOf(customerId)})`
  await sql.$executeRaw`
    UPDATE subscriptions SET billing_address = ${countryOnly('billing_address')} WHERE customer_id = ${customerId}`
  await sql.$executeRaw`
    UPDATE orders SET customer_details = ${countryOnly('customer_details')}
    WHERE customer_id = ${customerId} AND invoice_number IS NULL`
  await sql.mandates.updateMany({ where: mine, data: { masked_identifier: erasedAccount } })
  await eraseEvents(sql, customerId)
}

export async function eraseUnsold(sql: Sql, tenant: Tenant, checkoutId: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE checkouts SET billing_address = ${countryOnly('billing_address')} WHERE id = ${checkoutId}`
  await sql.sale_evidence.deleteMany({ where: { order: { checkout_id: checkoutId }, ...ownedBy(tenant) } })
  await eraseTaxIds(sql, tenant, await taxIdsOfCheckout(sql, checkoutId))
}

/**
 * Removes personal data from event bodies, because an event can be delivered again. Deletes the stored responses of webhook endpoints to
 * these events, because a response can quote its event.
 */
async function eraseEvents(sql: Sql, customerId: string): Promise<void> {
  const rows = await sql.$queryRaw<{ id: string; body: string }[]>`
    SELECT id, body FROM events WHERE entity_id IN (
      SELECT id FROM orders WHERE customer_id = ${customerId} UNION ALL
      SELECT id FROM subscriptions WHERE customer_id = ${customerId} UNION ALL
      SELECT id FROM refunds WHERE customer_id = ${customerId} UNION ALL
      SELECT id FROM chargebacks WHERE customer_id = ${customerId} UNION ALL
      ${checkoutsOf(customerId)})`
  await sql.$executeRaw`
    UPDATE delivery_attempts SET answer = NULL FROM deliveries
    WHERE deliveries.id = delivery_id AND deliveries.event_id = ANY (${rows.map(({ id }) => id)}::text[]) AND answer IS NOT NULL`
  const changed = rows
    .map(({ id, body }) => ({ id, body: withoutPerson(body), before: body }))
    .filter(({ body, before }) => body !== before)
  await updateRows(
    sql,
    'events',
    changed.map(({ id, body }) => ({ id, body })),
  )
}

export async function lastDocumentAt(sql: Sql, customerId: string): Promise<Date | null> {
  const [row] = await sql.$queryRaw<{ at: Date | null }[]>`
    SELECT max(paid_at) AS at FROM orders WHERE customer_id = ${customerId} AND invoice_number IS NOT NULL`
  return row?.at ?? null
}

/**
 * Erases the personal data in documents that were issued before the time `before`, and the sale evidence of these documents. If the
 * customer has no later document, erases all sale evidence of the customer. `taxIds` are the customer's tax IDs (`taxIdsOf`), read before
 * any data was erased.
 */
export async function eraseDocumentsBefore(
  sql: Sql,
  tenant: Tenant,
  { customerId, taxIds, before }: { customerId: string; taxIds: readonly string[]; before: Date },
): Promise<void> {
  const old = await sql.$queryRaw<{ id: string }[]>`
    UPDATE orders SET customer_details = ${countryOnly('customer_details')}
    WHERE customer_id = ${customerId} AND invoice_number IS NOT NULL AND paid_at < ${before}
      AND customer_details <> ${countryOnly('customer_details')} RETURNING id`
  await eraseProofs(sql, tenant, old)
  const last = await lastDocumentAt(sql, customerId)
  // An order with a total of 0.00 has no document, so its sale evidence is retained as long as the customer's last
  // document.
  if (!last || last < before)
    await eraseProofs(
      sql,
      tenant,
      await sql.orders.findMany({ where: { customer_id: customerId }, select: { id: true } }),
    )
  await eraseTaxIds(sql, tenant, taxIds, customerId)
}

async function eraseProofs(sql: Sql, tenant: Tenant, orders: readonly { readonly id: string }[]): Promise<void> {
  const where = { order_id: { in: orders.map(({ id }) => id) }, ...ownedBy(tenant) }
  await sql.invoice_versions.deleteMany({ where })
  await sql.order_withdrawals.deleteMany({ where })
  await sql.sale_evidence.deleteMany({ where })
}

function countryOnly(column: 'billing_address' | 'customer_details'): Fragment {
  const name = rawFragment(column)
  return fragment`(SELECT coalesce(jsonb_object_agg(key, CASE WHEN key = 'country' THEN value ELSE 'null'::jsonb END), '{}')
    FROM jsonb_each(${name}))`
}

export async function paymentsOf(sql: Sql, customerId: string): Promise<ReadonlyMap<string, string[]>> {
  const rows = await sql.payments.findMany({
    where: { order: { customer_id: customerId } },
    select: { id: true, provider: true },
  })
  const byProvider = new Map<string, string[]>()
  for (const { id, provider } of rows) byProvider.set(provider, [...(byProvider.get(provider) ?? []), id])
  return byProvider
}
