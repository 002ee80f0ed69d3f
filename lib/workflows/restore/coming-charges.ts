import { ordersOwedBy } from '../../modules/orders/owed-sale.ts'
import { comingTotals } from '../../modules/subscriptions/next-charge.ts'
import { findSubscriptions } from '../../modules/subscriptions/store.ts'
import type { UnknownPayment } from '../../modules/unknown-payments/rules/choose.ts'
import type { ComingCharge } from '../../modules/unknown-payments/rules/next-step.ts'
import { usersOf } from '../../modules/unknown-payments/users.ts'
import { realNow } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'

interface ComingCharges {
  /** The provider of the payment's mandate. Null if the database does not have the mandate. */
  readonly provider: string | null
  readonly charges: readonly ComingCharge[]
}

/**
 * Returns, for each unknown payment, the subscriptions that can use it for a charge, and the amounts of their coming
 * charges. The key is the reference of the payment.
 */
export async function comingChargesFor(
  unknown: readonly Pick<UnknownPayment, 'ref' | 'storefrontId' | 'mandateRef' | 'orderId'>[],
): Promise<ReadonlyMap<string, ComingCharges>> {
  const users = await usersOf(db(), unknown)
  const charges = new Map<string, ComingCharge>()
  for (const storefrontId of new Set(unknown.map((each) => each.storefrontId))) {
    const ofStorefront = unknown.filter((each) => each.storefrontId === storefrontId)
    const ids = [...new Set(ofStorefront.flatMap(({ ref }) => users.get(ref)?.subscriptions ?? []))]
    for (const subscription of await findSubscriptions(db(), { storefrontId, testmode: false }, ids)) {
      const owed = (await ordersOwedBy(db(), subscription.id)).map(({ total, currency }) => ({
        minor: total,
        currency,
      }))
      const amounts = [...owed, ...comingTotals(subscription, realNow())]
      charges.set(subscription.id, { subscriptionId: subscription.id, amounts })
    }
  }
  return new Map(
    [...users].map(([ref, { provider, subscriptions }]) => [
      ref,
      { provider, charges: subscriptions.flatMap((id) => charges.get(id) ?? []) },
    ]),
  )
}
