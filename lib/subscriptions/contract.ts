import { z } from 'zod'
import { intervals } from '../kernel/calendar.ts'
import { endpoint } from '../platform/endpoint.ts'
import { listQuery, listShape } from '../platform/paging.ts'
import { BillingAddressShape, id, LinkShape, MoneyShape } from '../platform/shapes.ts'

const Terms = {
  subscriptionPlanId: z.string(),
  name: z.string(),
  description: z.string(),
  basePrice: MoneyShape,
  quantity: z.int(),
  interval: z.enum(intervals),
  intervalCount: z.int(),
}

export const SubscriptionShape = z
  .object({
    id: z.string(),
    resource: z.literal('subscription'),
    testmode: z.boolean(),
    customerId: z.string(),
    ...Terms,
    billingAddress: BillingAddressShape,
    status: z.enum(['created', 'trial', 'active', 'canceled', 'on_grace_period', 'paused']),
    cancellationReason: z.enum(['payment_failure', 'merchant_request', 'customer_request']).nullable(),
    mandate: z
      .object({ method: z.enum(['card', 'sepa_debit', 'paypal', 'bacs_debit']), maskedIdentifier: z.string() })
      .nullable(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    canceledAt: z.string().nullable(),
    renewedAt: z.string().nullable(),
    renewedUntil: z.string().nullable(),
    nextRenewalAt: z.string().nullable(),
    trialUntil: z.string().nullable(),
    scheduledUpdate: z.object({ ...Terms, effectiveAt: z.string().nullable() }).nullable(),
    links: z.object({ self: LinkShape, customer: LinkShape }),
  })
  .meta({ id: 'Subscription' })

const tag = 'Subscriptions'

export const listSubscriptions = endpoint({
  id: 'listSubscriptions',
  method: 'GET',
  path: '/v1/subscriptions',
  tag,
  summary: 'List subscriptions, newest first.',
  query: listQuery({}),
  responses: { 200: listShape(SubscriptionShape) },
  refuses: ['validation_failed'],
})

export const getSubscription = endpoint({
  id: 'getSubscription',
  method: 'GET',
  path: '/v1/subscriptions/{id}',
  tag,
  summary: 'Get a subscription.',
  params: z.object({ id: id('subscription_') }),
  responses: { 200: SubscriptionShape },
  refuses: ['not_found'],
})

export const listCustomerSubscriptions = endpoint({
  id: 'listCustomerSubscriptions',
  method: 'GET',
  path: '/v1/customers/{id}/subscriptions',
  tag,
  summary: 'List the subscriptions of one customer, newest first.',
  params: z.object({ id: id('customer_') }),
  query: listQuery({}),
  responses: { 200: listShape(SubscriptionShape) },
  refuses: ['not_found', 'validation_failed'],
})

export const getCustomerSubscription = endpoint({
  id: 'getCustomerSubscription',
  method: 'GET',
  path: '/v1/customers/{id}/subscriptions/{subscriptionId}',
  tag,
  summary: 'Get a subscription of one customer.',
  params: z.object({ id: id('customer_'), subscriptionId: id('subscription_') }),
  responses: { 200: SubscriptionShape },
  refuses: ['not_found'],
})
