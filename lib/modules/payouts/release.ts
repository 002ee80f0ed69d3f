import { type Currency, formatMoney } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db/db.ts'
import { openDisputesOf } from '../chargebacks/store.ts'
import { stillOwedOf } from '../ledger/store.ts'
import { releasedOf, type Withheld, withheldOf } from './rules/release.ts'

const dayMs = 86_400_000

/**
 * The withheld part of a storefront's balance, in minor units of a currency, so that refunds and disputes can be paid. Zero in test mode.
 * - The hold: the amount that sales of the last `PAYOUT_HOLD_DAYS` days still add to the balance.
 * - The reserve: `PAYOUT_RESERVE_PERCENT` of the amount that earlier sales, up to `PAYOUT_RESERVE_DAYS` days ago, still add.
 * - The amount that open disputes may still take.
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

/** Refuses an amount above the released balance. The error states the withheld amounts. */
export function refuseUncovered(minor: bigint, currency: Currency, balance: bigint, withheld: Withheld): void {
  if (minor <= releasedOf(balance, withheld)) return
  const money = (value: bigint) => `${formatMoney({ minor: value, currency })} ${currency}`
  const { held, reserve, disputed } = withheld
  const reasons = [
    ...(held > 0n ? [`${money(held)} is held until ${config().payoutHoldDays} days after its payment`] : []),
    ...(reserve > 0n ? [`${money(reserve)} is the reserve for disputes`] : []),
    ...(disputed > 0n ? [`${money(disputed)} is disputed`] : []),
  ]
  if (reasons.length === 0) throw invalid('amount', `Must be at most the balance, ${money(balance)}.`)
  const released = money(releasedOf(balance, withheld))
  throw invalid('amount', `Must be at most what is released of the balance, ${released}: ${reasons.join(', ')}.`)
}
