import { formatDecimal } from '../../../kernel/money.ts'
import type { Difference } from './compare.ts'

/** What a provider paid us at once, of one currency, in ten-thousandths of it: providers count costs as exactly as that. */
export interface SettlementSums {
  readonly ref: string
  /** What the transfer says on our bank's statement. */
  readonly reference: string | null
  readonly currency: string
  readonly status: 'pending' | 'paid' | 'failed'
  /** What was or will be paid. */
  readonly amount: bigint
  /** Payments, less refunds and chargebacks. */
  readonly revenue: bigint
  /** What the provider keeps, its tax included. */
  readonly costs: bigint
}

const cent = 100n

/** What is wrong with a settlement: it failed, or it is not its revenue less its costs, to the cent. */
export function compareSettlement({ ref, reference, currency, ...settled }: SettlementSums): Difference[] {
  const written = (value: bigint) => `${formatDecimal(value, 4)} ${currency}`
  const { amount, revenue, costs, status } = settled
  const about = { ref, id: null, theirs: `${written(amount)}${reference === null ? '' : `, ${reference}`}` }
  const missing = revenue - costs - amount
  const isExact = missing > -cent && missing < cent
  return [
    ...(status === 'failed' ? [{ ...about, kind: 'settlement_failed' as const, ours: null }] : []),
    ...(isExact ? [] : [{ ...about, kind: 'settlement_sum' as const, ours: written(revenue - costs) }]),
  ]
}
