import { sum } from '../../../kernel/money.ts'
import type { OssRow } from './returns.ts'

export interface OssBalance {
  readonly country: string
  /** `tax` is in EUR cents; negative if the member state repays the seller. */
  readonly tax: bigint
}

/**
 * Amounts are EUR cents. `toPay` sums the positive balances, because each member state repays its negative balance itself (Implementing Regulation (EU)
 * 2020/194, annex III).
 */
export function ossBalancesOf(rows: readonly OssRow[]): { balances: OssBalance[]; toPay: bigint } {
  const declared = rows.filter(({ record }) => record !== 'too_late')
  const countries = [...new Set(declared.map(({ country }) => country))].sort()
  const balances = countries.map((country) => ({
    country,
    tax: sum(declared.filter((row) => row.country === country).map(({ taxAmount }) => taxAmount)),
  }))
  return { balances, toPay: sum(balances.flatMap(({ tax }) => (tax > 0n ? [tax] : []))) }
}
