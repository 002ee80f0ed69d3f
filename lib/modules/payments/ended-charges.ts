import type { Sql } from '../../platform/db/db.ts'
import type { PaymentStatus } from './rules/state.ts'
import type { Payment } from './store.ts'

/**
 * Returns the provider references of unpaid charges, by order and provider. Excludes charges that were refunded or that
 * the bank returned: the provider reports these charges as paid, but they do not pay the order.
 */
export async function endedCharges(sql: Sql, orderIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const unpaid: PaymentStatus[] = ['failed', 'canceled', 'expired']
  const ended = { status: { in: unpaid }, mandate_id: { not: null }, returned_at: null }
  const where = { order_id: { in: [...orderIds] }, provider_ref: { not: null }, ...ended }
  const rows = await sql.payments.findMany({ where, select: { order_id: true, provider: true, provider_ref: true } })
  const refs = new Map<string, string[]>()
  for (const { order_id, provider, provider_ref } of rows) {
    const place = placeOfCharges({ orderId: order_id, provider })
    if (provider_ref) refs.set(place, [...(refs.get(place) ?? []), provider_ref])
  }
  return refs
}

export const placeOfCharges = ({ orderId, provider }: Pick<Payment, 'orderId' | 'provider'>): string =>
  `${orderId} ${provider}`
