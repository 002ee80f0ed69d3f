import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import type { Sql } from '../../platform/db/db.ts'
import { apiLink } from '../../platform/http/links.ts'
import { wireBillingAddress, wireMetadata, wireMoney } from '../../platform/http/shapes.ts'
import type { SubscriptionShape } from './contract.ts'
import { type Owed, owedByOne, paidUntil, type ShownSubscription } from './owed.ts'
import { nextRenewalAt, type Subscription, scheduledTerms } from './rules/index.ts'

const wire = (moment: Date | null): string | null => moment && toWire(moment)

function wireUpdate(subscription: Subscription): z.infer<typeof SubscriptionShape>['scheduledUpdate'] {
  const { scheduledUpdate } = subscription
  if (!scheduledUpdate) return null
  const terms = scheduledTerms(subscription, scheduledUpdate)
  return {
    subscriptionPlanId: terms.planId,
    name: terms.name,
    description: terms.description,
    basePrice: wireMoney(terms.price),
    quantity: terms.quantity,
    interval: terms.billingInterval.interval,
    intervalCount: terms.billingInterval.intervalCount,
    effectiveAt: wire(nextRenewalAt(subscription)),
  }
}

const wireRecovery = ({ recovery }: Owed): z.infer<typeof SubscriptionShape>['recovery'] =>
  recovery && {
    orderId: recovery.orderId,
    amountDue: wireMoney(recovery.amountDue),
    failureReason: recovery.failureReason,
    declineType: recovery.declineType,
    failedAt: toWire(recovery.failedAt),
    nextAttemptAt: wire(recovery.nextAttemptAt),
    endsAt: wire(recovery.endsAt),
    waitsFor: recovery.waitsFor,
  }

export const shownSubscription = (shown: ShownSubscription) => subscriptionResource(shown, shown.owed)

export const currentSubscription = async (sql: Sql, subscription: Subscription) =>
  subscriptionResource(subscription, await owedByOne(sql, subscription.id))

export function subscriptionResource(subscription: Subscription, owed: Owed): z.infer<typeof SubscriptionShape> {
  const { id, mandate, billingInterval } = subscription
  return {
    id,
    resource: 'subscription',
    testmode: subscription.testmode,
    customerId: subscription.customerId,
    subscriptionPlanId: subscription.planId,
    name: subscription.name,
    description: subscription.description,
    billingAddress: wireBillingAddress(subscription.billingAddress),
    basePrice: wireMoney(subscription.price),
    quantity: subscription.quantity,
    interval: billingInterval.interval,
    intervalCount: billingInterval.intervalCount,
    status: subscription.status,
    cancellationReason: subscription.cancellationReason,
    cancellationFeedback: subscription.cancellationFeedback,
    mandate: mandate && { method: mandate.method, maskedIdentifier: mandate.maskedIdentifier },
    startedAt: wire(subscription.startedAt),
    endedAt: wire(subscription.endedAt),
    canceledAt: wire(subscription.canceledAt),
    renewedAt: wire(subscription.renewedAt),
    renewedUntil: wire(subscription.renewedUntil),
    paidUntil: wire(paidUntil(subscription, owed)),
    nextRenewalAt: wire(nextRenewalAt(subscription)),
    trialUntil: wire(subscription.trialUntil),
    metadata: wireMetadata(subscription.metadata),
    scheduledUpdate: wireUpdate(subscription),
    recovery: wireRecovery(owed),
    links: { self: apiLink(`/subscriptions/${id}`), customer: apiLink(`/customers/${subscription.customerId}`) },
  }
}
