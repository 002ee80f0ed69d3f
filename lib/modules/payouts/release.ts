import { amount, type Currency } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import { ruleProblem } from '../../kernel/rule-problem.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import { openDisputesOf } from '../chargebacks/store.ts'
import { stillOwedOf } from '../ledger/store.ts'
import { releasedOf, type Withheld, withheldOf } from './rules/release.ts'

const dayMs = 86_400_000

/**
 * Returns the withheld parts of a balance, in minor units of one currency; all are zero in test mode. The hold is the amount that sales of the last
 * `PAYOUT_HOLD_DAYS` days add to the balance. The reserve is `PAYOUT_RESERVE_PERCENT` of the amount that older sales, up to `PAYOUT_RESERVE_DAYS` days ago,
 * add to the balance.
 */
export async function withheldFrom(sql: Sql, tenant: Tenant, currency: Currency, now: Date): Promise<Withheld> {
  if (tenant.testmode) return { held: 0n, reserve: 0n, disputed: 0n }
  const { payoutHoldDays, payoutReserve } = config()
  const ago = (days: number) => new Date(now.getTime() - days * dayMs)
  const hold = ago(payoutHoldDays)
  const wants = payoutReserve.share.numerator > 0n && payoutReserve.days > payoutHoldDays
  return withheldOf({
    held: payoutHoldDays === 0 ? 0n : await stillOwedOf(sql, tenant, currency, { after: hold }),
    sold: wants ? await stillOwedOf(sql, tenant, currency, { after: ago(payoutReserve.days), until: hold }) : 0n,
    reserveShare: payoutReserve.share,
    disputes: await openDisputesOf(sql, tenant, currency),
  })
}

export function refuseUncovered(minor: bigint, currency: Currency, balance: bigint, withheld: Withheld): void {
  if (minor <= releasedOf(balance, withheld)) return
  const money = (value: bigint) => amount(value, currency)
  const { held, reserve, disputed } = withheld
  const reasons = [
    ...(held > 0n ? [ruleProblem('amount_on_hold', { amount: money(held), days: config().payoutHoldDays })] : []),
    ...(reserve > 0n ? [ruleProblem('amount_in_reserve', { amount: money(reserve) })] : []),
    ...(disputed > 0n ? [ruleProblem('amount_disputed', { amount: money(disputed) })] : []),
  ]
  if (reasons.length === 0) throw invalid('amount', ruleProblem('balance_at_most', { balance: money(balance) }))
  const released = money(releasedOf(balance, withheld))
  throw invalid('amount', ruleProblem('released_at_most', { released, reasons }))
}
