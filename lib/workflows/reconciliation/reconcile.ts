import { currencies } from '../../kernel/currencies.ts'
import { formatMoney, sum } from '../../kernel/money.ts'
import { requireStorefront } from '../../modules/accounts/store.ts'
import { excessOf } from '../../modules/chargebacks/store.ts'
import { balancesOf } from '../../modules/ledger/store.ts'
import { simulatedOf } from '../../modules/payments/simulated.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import { allTestControls } from '../../providers/index.ts'

/**
 * Compares the `provider_clearing` account of a storefront in our ledger with the money that the test providers hold.
 * Returns signed decimal amounts by currency. `simulated` is the amount of simulated charges, which exist only in our
 * books. For a lost or accepted dispute, a provider can take more than the amount that is allocated to the dispute. The
 * operator bears this difference (`takenOverCounted`). The remaining difference (`unexplained`) is either in transit or
 * an error. Refuses with `validation_failed` if the storefront is unknown.
 */
export async function reconcile(tenant: Tenant) {
  await requireStorefront(db(), tenant.storefrontId)
  const [accounts, held, simulated, excesses] = await db().$transaction(
    async (sql) => [
      await balancesOf(sql, tenant),
      await heldByProviders(sql, tenant),
      await simulatedOf(sql, tenant),
      await excessOf(sql, tenant),
    ],
    { isolationLevel: 'RepeatableRead' },
  )
  return currencies.flatMap((currency) => {
    const account = accounts.find((each) => each.account === 'provider_clearing' && each.currency === currency)
    const disputes = excesses.filter((each) => each.currency === currency)
    const ofProvider = sum(held.map((each) => each.get(currency) ?? 0n))
    const ofHelpers = simulated.get(currency) ?? 0n
    if (!account && ofProvider === 0n && ofHelpers === 0n) return []
    const difference = ofProvider - ((account?.amount ?? 0n) - ofHelpers)
    const taken = sum(disputes.map(({ excess }) => excess))
    const money = (minor: bigint) => formatMoney({ minor, currency })
    return {
      currency,
      providerClearing: money(account?.amount ?? 0n),
      simulated: money(ofHelpers),
      provider: money(ofProvider),
      difference: money(difference),
      takenOverCounted: money(-taken),
      unexplained: money(difference + taken),
      chargebacks: disputes.map(({ id }) => id),
    }
  })
}

async function heldByProviders(sql: Sql, tenant: Tenant) {
  const held = []
  // The queries run one after another, because they share the connection of the transaction.
  for (const { holdings } of allTestControls()) held.push(await holdings(sql, tenant))
  return held
}
