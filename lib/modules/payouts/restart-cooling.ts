import { now as timeOf } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { storefrontsOf } from '../accounts/store.ts'
import type { Transaction } from '../events/transact.ts'
import { lockAccounts, newestAccounts, putOffAccount } from './account-store.ts'
import { accountsAt } from './rules/account.ts'

/**
 * Restarts the waiting period of pending bank details in all storefronts of a merchant, in test mode and live mode.
 * Returns the time at which the pending live details take effect; null if no live details are pending.
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
