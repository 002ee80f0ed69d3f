import { formatDecimal } from '../../../kernel/money.ts'
import type { Difference } from './compare.ts'

/** Amounts are in ten-thousandths of a currency unit, the precision of a provider's costs. */
export interface SettlementSums {
  readonly ref: string
  /** The reference of the provider's payout on the seller's bank statement. */
  readonly reference: string | null
  readonly currency: string
  readonly status: 'pending' | 'paid' | 'failed'
  readonly amount: bigint
  /** Payments less refunds and chargebacks. */
  readonly revenue: bigint
  readonly costs: bigint
}

const cent = 100n

/** Reports a failed settlement, and an amount that differs from revenue less costs by a cent or more. */
export function compareSettlement({ ref, reference, currency, ...settled }: SettlementSums): Difference[] {
  const written = (value: bigint) => `${formatDecimal(value, 4)} ${currency}`
  const { amount, revenue, costs, status } = settled
  const about = { ref, id: null, atProvider: `${written(amount)}${reference === null ? '' : `, ${reference}`}` }
  const missing = revenue - costs - amount
  const isExact = missing > -cent && missing < cent
  return [
    ...(status === 'failed' ? [{ ...about, kind: 'settlement_failed' as const, ours: null }] : []),
    ...(isExact ? [] : [{ ...about, kind: 'settlement_sum' as const, ours: written(revenue - costs) }]),
  ]
}
