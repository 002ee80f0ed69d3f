import { now as timeOf } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { storefrontsOf } from '../accounts/store.ts'
import type { Transaction } from '../events/transact.ts'
import { lockAccounts, newestAccounts, putOffAccount } from './account-store.ts'
import { accountsAt } from './rules/account.ts'

/**
 * Delays the use of changed bank details, in every storefront of a merchant and both modes: the cooling time begins
 * again. Returns the new time in live mode, or null without a pending change there.
 */
export async function restartCooling(tx: Transaction, merchantId: string): Promise<Date | null> {
  const { sql } = tx
  let waits: Date | null = null
  for (const storefrontId of await storefrontsOf(sql, merchantId)) {
    for (const testmode of [false, true]) {
      const tenant = { storefrontId, testmode }
      await lockAccounts(sql, tenant)
      const now = await timeOf(sql, tenant)
      const { pending } = accountsAt(await newestAccounts(sql, tenant), now)
      if (!pending) continue
      const validFrom = new Date(now.getTime() + config().payoutCoolingDays * 86_400_000)
      await putOffAccount(sql, pending.id, validFrom)
      if (!testmode) waits = validFrom
    }
  }
  return waits
}
