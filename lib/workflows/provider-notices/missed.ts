import { holdsOf } from '../../modules/accounts/store.ts'
import { chargebackStates } from '../../modules/chargebacks/rules/index.ts'
import { chargebackByRef } from '../../modules/chargebacks/store.ts'
import { transact } from '../../modules/events/transact.ts'
import type { PaymentProvider, RecentChargeback } from '../../modules/payments/provider.ts'
import { paymentStates } from '../../modules/payments/rules/state.ts'
import { paymentOfNotice } from '../../modules/payments/store.ts'
import { syncChargeback } from '../../modules/payments/tasks.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { isOnHold } from '../../platform/db/unavailable.ts'
import { every } from '../../platform/every.ts'
import { Outage } from '../../platform/outage.ts'
import { connectedProviders } from '../../providers/index.ts'

const everyMs = 30_000
const dayMs = 86_400_000
const farAgainMs = 300_000
/**
 * The age in days up to which chargebacks are searched. The time is long, because a bank can inquire for weeks before
 * it disputes a payment.
 */
const lookBackDays = 120

/**
 * Schedules a fetch of each chargeback that our books lack, and of each reversed chargeback that has no outcome in our
 * books. This search is necessary because a bank can return a debit weeks after the payment, when the payment is no
 * longer polled. By default, reads only the newest chargebacks. With `since`, reads all chargebacks since that time,
 * because an inquiry that becomes a dispute keeps its old position in the list.
 */
export const findMissedChargebacks = ({ since }: { since?: Date } = {}): Promise<void> =>
  atEach((provider) => findMissedAt(provider, since))

/** Runs a search at every account, even after a failure at another account. */
async function atEach(look: (provider: PaymentProvider) => Promise<void>): Promise<void> {
  const looked = await Promise.allSettled((await connectedProviders()).map(look))
  const failed = looked.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/**
 * Finds the provider's chargebacks that our books lack, and schedules a fetch of each, the oldest first. The provider
 * lists the newest first, and a search without `since` ends at the first page whose chargebacks our books all have. If
 * a crash interrupts the scheduling, our books still lack the newest ones, so the next search does not end too early.
 */
async function findMissedAt(provider: PaymentProvider, since?: Date): Promise<void> {
  const all: Missed[] = []
  for await (const page of provider.recentChargebacks?.(since) ?? []) {
    const found = await missedOn(page, provider)
    if (found.length === 0 && !since) break
    all.push(...found)
  }
  for (const { tenant, ...data } of all.reverse())
    await transact(tenant, ({ now, enqueue }) => enqueue(syncChargeback, { key: data.ref, data, dueAt: now })).catch(
      (error) => {
        // Ignores the error of a storefront that was just put on hold, because this error must not block the
        // chargebacks of other storefronts.
        if (!isOnHold(error)) throw error
      },
    )
}

interface Missed {
  readonly tenant: Tenant
  readonly ref: string
  readonly paymentRef: string
}

async function missedOn(page: readonly RecentChargeback[], { name }: PaymentProvider): Promise<Missed[]> {
  const missed: Missed[] = []
  for (const { ref, paymentRef, isReversed } of page) {
    const found = await paymentOfNotice(db(), name, paymentRef)
    const known = found && (await chargebackByRef(db(), found.tenant, ref))
    if (!found || (known && (!isReversed || chargebackStates.isFinal(known.status)))) continue
    // Skips a chargeback whose payment our books show as finished and unpaid, because this chargeback reverses no
    // order. The comparison with the provider's books reports such a chargeback.
    const { status } = found.payment
    if (status !== 'paid' && paymentStates.isFinal(status)) continue
    missed.push({ tenant: found.tenant, ref, paymentRef })
  }
  const ids = missed.map(({ tenant }) => tenant.storefrontId)
  const holds = await holdsOf(db(), ids)
  return missed.filter(({ tenant }) => holds.get(tenant.storefrontId) === false)
}

/**
 * Returns a function that searches the newest chargebacks at each account. Once a day, the function searches the last `lookBackDays` days instead. If this
 * daily search fails, the function repeats it after five minutes. `now` is in milliseconds.
 */
export function lookingForChargebacks(): (now: number) => Promise<void> {
  const farAt = new Map<string, number>()
  return (now) =>
    atEach(async (provider) => {
      if (now < (farAt.get(provider.name) ?? 0)) return findMissedAt(provider)
      farAt.set(provider.name, now + farAgainMs)
      await findMissedAt(provider, new Date(now - lookBackDays * dayMs))
      farAt.set(provider.name, now + dayMs)
    })
}

/** Searches every half minute. Returns a function that stops the schedule and waits for a search in progress. */
export function startFindingChargebacks(): () => Promise<void> {
  const look = lookingForChargebacks()
  return every(everyMs, () => look(Date.now()), new Outage('the search for missed chargebacks failed'))
}
