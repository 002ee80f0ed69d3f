import type { z } from 'zod'
import { toWire } from '../../kernel/moment.ts'
import { apiLink } from '../../platform/http/links.ts'
import { wireBillingAddress, wireMoney } from '../../platform/http/shapes.ts'
import type { SubscriptionShape } from './contract.ts'
import { nextRenewalAt, type Subscription, scheduledTerms } from './rules/index.ts'

const wire = (moment: Date | null): string | null => moment && toWire(moment)

/** All terms after the update, including those that the update does not change. */
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

export function subscriptionResource(subscription: Subscription): z.infer<typeof SubscriptionShape> {
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
    mandate: mandate && { method: mandate.method, maskedIdentifier: mandate.maskedIdentifier },
    startedAt: wire(subscription.startedAt),
    endedAt: wire(subscription.endedAt),
    canceledAt: wire(subscription.canceledAt),
    renewedAt: wire(subscription.renewedAt),
    renewedUntil: wire(subscription.renewedUntil),
    nextRenewalAt: wire(nextRenewalAt(subscription)),
    trialUntil: wire(subscription.trialUntil),
    scheduledUpdate: wireUpdate(subscription),
    links: { self: apiLink(`/subscriptions/${id}`), customer: apiLink(`/customers/${subscription.customerId}`) },
  }
}
