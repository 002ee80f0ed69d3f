import { type Currency, sum } from '../../../kernel/money.ts'
import type { Account } from './account.ts'

const statementKinds = ['order', 'refund', 'chargeback', 'return', 'payout'] as const
export type StatementKind = (typeof statementKinds)[number]

/** The sum of the entries of one account and kind in the period, in minor units. A debit is positive. */
export interface PostedSum {
  readonly kind: StatementKind
  readonly currency: Currency
  readonly account: Account
  readonly amount: bigint
}

/** Amounts are in minor units. `balance` is the sum of the other amounts: payments less refunds, tax, fees, and payouts. */
interface StatementLine {
  readonly kind: StatementKind
  /**
   * `count` is the number of orders, refunds, disputes, orders with a returned direct debit, or payouts. A correction of an order's tax counts as a refund.
   */
  readonly count: number
  readonly buyers: bigint
  readonly taxes: bigint
  readonly fees: bigint
  readonly payouts: bigint
  readonly balance: bigint
}

export interface Statement {
  readonly currency: Currency
  readonly opening: bigint
  readonly lines: readonly StatementLine[]
  readonly closing: bigint
}

interface StatementInput {
  readonly currency: Currency
  readonly closing: bigint
  readonly posted: readonly PostedSum[]
  readonly counts: ReadonlyMap<StatementKind, number>
}

/**
 * A refund is deducted when it is sent, and a dispute when it is received. Throws if the entries of a kind do not sum to zero, because the ledger is then
 * corrupt.
 */
export function statementOf({ currency, closing, posted, counts }: StatementInput): Statement {
  const lines = statementKinds.flatMap((kind) => {
    const of = (...accounts: Account[]) =>
      sum(posted.filter((each) => each.kind === kind && accounts.includes(each.account)).map(({ amount }) => amount))
    const count = counts.get(kind) ?? 0
    if (count === 0) return []
    const buyers = of('provider_clearing', 'refunds', 'chargebacks')
    const [taxes, fees, payouts] = [of('tax_payable'), of('platform_fee', 'provider_fees'), of('payouts')]
    const balance = -of('merchant_balance')
    if (buyers + taxes + fees + payouts !== balance) throw new Error(`the entries of ${kind} do not sum to zero`)
    return [{ kind, count, buyers, taxes, fees, payouts, balance }]
  })
  return { currency, opening: closing - sum(lines.map(({ balance }) => balance)), lines, closing }
}
