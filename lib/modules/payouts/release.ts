import { type Currency, formatMoney } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import { stillOwedOf } from '../ledger/store.ts'

/**
 * The part of a balance that is not paid out yet, in minor units: what the sales of the last `PAYOUT_HOLD_DAYS` days add to
 * it. Refunds and disputes that come within these days then find their money. Test mode has no hold.
 */
export async function heldOf(sql: Sql, tenant: Tenant, currency: Currency, now: Date): Promise<bigint> {
  const days = config().payoutHoldDays
  if (tenant.testmode || days === 0) return 0n
  return stillOwedOf(sql, tenant, currency, { after: new Date(now.getTime() - days * 86_400_000) })
}

/** Refuses an amount that the released balance does not cover. */
export function refuseUncovered(
  minor: bigint,
  currency: Currency,
  { balance, held }: Record<'balance' | 'held', bigint>,
) {
  if (minor <= balance - held) return
  const money = (value: bigint) => `${formatMoney({ minor: value, currency })} ${currency}`
  if (held === 0n) throw invalid('amount', `Must be at most the balance, ${money(balance)}.`)
  const hold = `${money(held)} is held until ${config().payoutHoldDays} days after its payment`
  throw invalid('amount', `Must be at most what is released of the balance, ${money(balance - held)}: ${hold}.`)
}
