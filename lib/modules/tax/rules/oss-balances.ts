import { sum } from '../../../kernel/money.ts'
import type { OssRow } from './returns.ts'

export interface OssBalance {
  readonly country: string
  /** EUR cents; negative if the member state repays the seller. */
  readonly tax: bigint
}

/**
 * The balance of each member state in a One Stop Shop return, with supplies and corrections, and the amount to pay in
 * EUR cents: the sum of the positive balances. A member state repays a negative balance itself (Implementing Regulation
 * (EU) 2020/194, annex III).
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
