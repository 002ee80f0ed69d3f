import type { z } from 'zod'
import { Refusal } from '../../kernel/refusal.ts'
import type { createBillingUpdateLink } from '../../modules/billing-updates/contract.ts'
import { makeLink } from '../../modules/billing-updates/link.ts'
import { transact } from '../../modules/events/transact.ts'
import { isOngoing } from '../../modules/subscriptions/rules/index.ts'
import { lockSubscription } from '../../modules/subscriptions/store.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'

type Body = z.infer<typeof createBillingUpdateLink.body & object>

/** Refuses with `not_found`, or with `subscription_not_changeable` if the subscription has not started or has ended. */
export async function createLink(context: RequestContext, id: string, body: Body) {
  return transact(context, async (tx) => {
    const subscription = await lockSubscription(tx.sql, tx, id)
    if (!subscription) throw new Refusal('not_found')
    if (!isOngoing(subscription)) throw new Refusal('subscription_not_changeable')
    const { redirectUrlSuccess, redirectUrlCanceled, billingAddress } = body
    const prefill = Object.keys(billingAddress ?? {}).length > 0 ? blankAsNull(billingAddress) : null
    const link = { subscriptionId: id, redirectUrlSuccess, redirectUrlCanceled, billingAddress: prefill }
    return { href: await makeLink(tx, link, 'merchant'), type: 'text/html' }
  })
}

const blankAsNull = (address: Body['billingAddress']) =>
  Object.fromEntries(Object.entries(address ?? {}).map(([field, value]) => [field, value || null]))
