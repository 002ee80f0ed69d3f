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
import { log } from '../../platform/log.ts'
import { shortError } from '../../platform/short-error.ts'
import { connectedProviders } from '../../providers/index.ts'

const everyMs = 30_000
const dayMs = 86_400_000
const farAgainMs = 300_000
/** A buyer's bank may ask for weeks before it disputes a payment, and a dispute takes its place in the list when it begins. */
const lookBackDays = 120

/**
 * Finds chargebacks that no notice reported: a bank returns a debit weeks after it was paid, when nobody asks about the
 * payment any more. Has each fetched that is unknown here, or was reversed since. With `since` all that are as young are looked at, and
 * not the newest alone: an inquiry that becomes a dispute stays behind those that were made after it.
 */
export const findMissedChargebacks = ({ since }: { since?: Date } = {}): Promise<void> =>
  atEach((provider) => findMissedAt(provider, since))

/** Looks at every account, also after one that fails. */
async function atEach(look: (provider: PaymentProvider) => Promise<void>): Promise<void> {
  const looked = await Promise.allSettled((await connectedProviders()).map(look))
  const failed = looked.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/**
 * Banks return debits by the hundred: the next page is looked at for as long as one has something new. The oldest is fetched first, so
 * that after a crash in between the first page still has something new.
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
        // It has just been put on hold: those of other storefronts must not wait for it.
        if (!isOnHold(error)) throw error
      },
    )
}

interface Missed {
  readonly tenant: Tenant
  readonly ref: string
  readonly paymentRef: string
}

/** Without those of a storefront on hold, for which nothing can be done here: where it is released, they are found. */
async function missedOn(page: readonly RecentChargeback[], { name }: PaymentProvider): Promise<Missed[]> {
  const missed: Missed[] = []
  for (const { ref, paymentRef, isReversed } of page) {
    const found = await paymentOfNotice(db(), name, paymentRef)
    const known = found && (await chargebackByRef(db(), found.tenant, ref))
    if (!found || (known && (!isReversed || chargebackStates.isFinal(known.status)))) continue
    // What paid nothing here has no order to take it from: the comparison of the books reports it.
    const { status } = found.payment
    if (status !== 'paid' && paymentStates.isFinal(status)) continue
    missed.push({ tenant: found.tenant, ref, paymentRef })
  }
  const ids = missed.map(({ tenant }) => tenant.storefrontId)
  const holds = await holdsOf(db(), ids)
  return missed.filter(({ tenant }) => holds.get(tenant.storefrontId) === false)
}

/**
 * How to look for them at a moment in milliseconds: at each account far back once a day, and otherwise at the newest. A far look that failed
 * is repeated soon, and the newest are looked at meanwhile.
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

/** Looks for them every half minute. Returns how to stop it; that waits for a run in progress. */
export function startFindingChargebacks(): () => Promise<void> {
  const look = lookingForChargebacks()
  return every(
    everyMs,
    () => look(Date.now()),
    (error) => log.warn({ error: shortError(error) }, 'chargebacks could not be looked for'),
  )
}
