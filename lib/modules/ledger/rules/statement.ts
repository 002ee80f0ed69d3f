import { type Currency, sum } from '../../../kernel/money.ts'
import type { Account } from './account.ts'

/** What moves a merchant's balance, in the order of a statement. */
const statementKinds = ['order', 'refund', 'chargeback', 'payout'] as const
export type StatementKind = (typeof statementKinds)[number]

/** What was posted on one account for one kind of subject during the period. Debit is positive, in minor units. */
export interface PostedSum {
  readonly kind: StatementKind
  readonly currency: Currency
  readonly account: Account
  readonly amount: bigint
}

/** Minor units. `balance` is the sum of the others: what buyers paid or got back, less tax, fees and payouts. */
interface StatementLine {
  readonly kind: StatementKind
  /** How many orders, refunds, disputes or payouts. A tax that was corrected is a refund. */
  readonly count: number
  readonly buyers: bigint
  readonly taxes: bigint
  readonly fees: bigint
  readonly payouts: bigint
  readonly balance: bigint
}

/** What a merchant was owed before, what changed it, and what the merchant is owed after: `opening` and all lines. */
export interface Statement {
  readonly currency: Currency
  readonly opening: bigint
  readonly lines: readonly StatementLine[]
  readonly closing: bigint
}

interface StatementInput {
  readonly currency: Currency
  /** What the merchant is owed at the end of the period. */
  readonly closing: bigint
  readonly posted: readonly PostedSum[]
  readonly counts: ReadonlyMap<StatementKind, number>
}

/**
 * The statement of one currency. Money on its way back to buyers, or in dispute, counts as gone from them at once. Throws
 * where the sums of a kind do not come to zero: then the ledger is not whole.
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
