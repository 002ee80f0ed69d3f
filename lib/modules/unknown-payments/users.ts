import type { Sql } from '../../platform/db/db.ts'
import { ongoingStatuses } from '../subscriptions/rules/state.ts'
import type { UnknownPayment } from './rules/choose.ts'

interface Users {
  readonly ref: string
  /** The provider of the payment's mandate. Null if the database does not have the mandate. */
  readonly provider: string | null
  readonly subscriptions: string[]
}

export async function providersOfRenewals(sql: Sql): Promise<string[]> {
  const rows = await sql.$queryRaw<{ provider: string }[]>`
    SELECT DISTINCT m.provider FROM mandates m JOIN subscriptions s ON s.mandate_id = m.id
    WHERE NOT m.testmode AND s.status = ANY(${[...ongoingStatuses]}) ORDER BY m.provider`
  return rows.map(({ provider }) => provider)
}

/**
 * Returns the subscriptions whose charges can use an unknown payment, by payment reference. These are the subscriptions
 * that renew with the mandate of the payment, and the subscription of the payment's order if that order is unpaid.
 */
export async function usersOf(
  sql: Sql,
  unknown: readonly Pick<UnknownPayment, 'ref' | 'storefrontId' | 'mandateRef' | 'orderId'>[],
): Promise<ReadonlyMap<string, Users>> {
  const rows = await sql.$queryRaw<Users[]>`
    SELECT u.ref, min(m.provider) AS provider, array_remove(array_agg(DISTINCT s.id ORDER BY s.id), NULL) AS subscriptions
    FROM unnest(${unknown.map(({ ref }) => ref)}::text[], ${unknown.map(({ storefrontId }) => storefrontId)}::text[],
      ${unknown.map(({ mandateRef }) => mandateRef)}::text[], ${unknown.map(({ orderId }) => orderId)}::text[])
      AS u (ref, storefront_id, mandate_ref, order_id)
    LEFT JOIN mandates m ON m.provider_ref = u.mandate_ref AND m.storefront_id = u.storefront_id AND NOT m.testmode
    LEFT JOIN orders o ON o.id = u.order_id AND o.storefront_id = u.storefront_id AND NOT o.testmode AND o.status = 'pending'
    LEFT JOIN subscriptions s ON s.storefront_id = u.storefront_id AND NOT s.testmode AND s.status = ANY(${[...ongoingStatuses]})
      AND ((s.mandate_id = m.id AND s.status <> 'on_grace_period') OR s.id = o.subscription_id)
    GROUP BY u.ref`
  return new Map(rows.map((row) => [row.ref, row]))
}
