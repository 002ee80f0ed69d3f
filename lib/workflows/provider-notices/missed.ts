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
/** A bank may inquire for weeks before it disputes a payment. The list sorts a dispute by the start of the inquiry. */
const lookBackDays = 120

/**
 * A bank returns a debit weeks after the payment, when nobody polls the payment. Plans to fetch each chargeback that is
 * unknown or was reversed since. With `since`, checks all chargebacks since then and not only the newest: an inquiry
 * that becomes a dispute keeps its place in the list.
 */
export const findMissedChargebacks = ({ since }: { since?: Date } = {}): Promise<void> =>
  atEach((provider) => findMissedAt(provider, since))

/** Checks every account, even after a failure at another account. */
async function atEach(look: (provider: PaymentProvider) => Promise<void>): Promise<void> {
  const looked = await Promise.allSettled((await connectedProviders()).map(look))
  const failed = looked.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/**
 * Banks return debits by the hundred, so the search continues while a page has something new. The oldest chargeback is
 * fetched first: after a crash, the first page still has something new.
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
        // The storefront was just put on hold. Chargebacks of other storefronts must not wait for it.
        if (!isOnHold(error)) throw error
      },
    )
}

interface Missed {
  readonly tenant: Tenant
  readonly ref: string
  readonly paymentRef: string
}

/** Chargebacks of a storefront on hold are found after its release. */
async function missedOn(page: readonly RecentChargeback[], { name }: PaymentProvider): Promise<Missed[]> {
  const missed: Missed[] = []
  for (const { ref, paymentRef, isReversed } of page) {
    const found = await paymentOfNotice(db(), name, paymentRef)
    const known = found && (await chargebackByRef(db(), found.tenant, ref))
    if (!found || (known && (!isReversed || chargebackStates.isFinal(known.status)))) continue
    // A payment that paid no order here has no order to reverse. The comparison of the books reports it.
    const { status } = found.payment
    if (status !== 'paid' && paymentStates.isFinal(status)) continue
    missed.push({ tenant: found.tenant, ref, paymentRef })
  }
  const ids = missed.map(({ tenant }) => tenant.storefrontId)
  const holds = await holdsOf(db(), ids)
  return missed.filter(({ tenant }) => holds.get(tenant.storefrontId) === false)
}

/** Searches far back once a day per account. A failed long search is repeated soon. `now` is in milliseconds. */
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

/** Every half minute. Returns a function that stops it and waits for a run in progress. */
export function startFindingChargebacks(): () => Promise<void> {
  const look = lookingForChargebacks()
  return every(
    everyMs,
    () => look(Date.now()),
    (error) => log.warn({ error: shortError(error) }, 'chargebacks could not be looked for'),
  )
}
