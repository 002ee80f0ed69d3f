import { z } from 'zod'
import { intervals } from '../../kernel/calendar.ts'
import { endOfTime, parseDay } from '../../kernel/moment.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import {
  BillingAddressShape,
  id,
  LinkShape,
  Moment,
  MoneyShape,
  priceIn,
  queryBoolean,
  WireMoment,
} from '../../platform/http/shapes.ts'

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
    startedAt: WireMoment.nullable(),
    endedAt: WireMoment.nullable(),
    canceledAt: WireMoment.nullable(),
    renewedAt: WireMoment.nullable(),
    renewedUntil: WireMoment.nullable(),
    nextRenewalAt: WireMoment.nullable(),
    trialUntil: WireMoment.nullable(),
    scheduledUpdate: z.object({ ...Terms, effectiveAt: WireMoment.nullable() }).nullable(),
    links: z.object({ self: LinkShape, customer: LinkShape }),
  })
  .meta({ id: 'Subscription' })

const mostQuantity = 999_999

/**
 * The recurring price of a subscription: as a plan's, but also in USD, since it must be in the subscription's own
 * currency.
 */
const RecurringPrice = priceIn(z.enum(['EUR', 'USD']))

const Day = z
  .string()
  .refine((value) => parseDay(value) !== null, { error: 'Must be a day as "2027-01-31", not after 2999-12-31.' })
  .transform((value) => parseDay(value) ?? endOfTime)
  .meta({ format: 'date' })

const ChangeBody = z.object({
  subscriptionPlanId: id('subscription_plan_').nullish(),
  quantity: z.int().min(1).max(mostQuantity).nullish(),
  price: RecurringPrice.nullish(),
  prorate: z.boolean().default(true),
  applyImmediately: z.boolean().default(false),
  invoiceImmediately: z.boolean().default(false),
  anchor: Day.nullish(),
  resetAnchor: z.boolean().default(false),
  trialUntil: Moment.nullish(),
})

function validateCombination(body: Readonly<Record<string, unknown>>): Record<string, string> {
  const isSent = (field: string) => body[field] !== undefined && body[field] !== null
  const names = isSent('subscriptionPlanId') || isSent('quantity') || isSent('price')
  return {
    ...(!names && { subscriptionPlanId: 'Send at least one of subscriptionPlanId, quantity and price.' }),
    ...(isSent('anchor') && body.resetAnchor === true && { anchor: 'Cannot be combined with resetAnchor.' }),
    ...(isSent('anchor') && isSent('trialUntil') && { trialUntil: 'Cannot be combined with anchor.' }),
  }
}

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

export const changeSubscription = endpoint({
  id: 'changeSubscription',
  method: 'PATCH',
  path: '/v1/subscriptions/{id}',
  tag,
  summary: 'Change plan, quantity or price, at the next renewal or at once.',
  params: z.object({ id: id('subscription_') }),
  body: ChangeBody,
  validateCombination: validateCombination,
  responses: { 200: SubscriptionShape },
  refuses: ['not_found', 'subscription_not_changeable', 'too_many_charges'],
})

export const cancelSubscription = endpoint({
  id: 'cancelSubscription',
  method: 'DELETE',
  path: '/v1/subscriptions/{id}',
  tag,
  summary: 'Cancel with the end of what is paid, or immediately.',
  params: z.object({ id: id('subscription_') }),
  query: z.object({ immediately: queryBoolean }),
  responses: { 204: null },
  refuses: ['not_found', 'validation_failed', 'subscription_not_cancelable'],
})

export const resumeSubscription = endpoint({
  id: 'resumeSubscription',
  method: 'POST',
  path: '/v1/subscriptions/{id}/resume',
  tag,
  summary:
    'Undo a cancellation while its grace period runs: the subscription is active, in its trial or paused, as before.',
  params: z.object({ id: id('subscription_') }),
  responses: { 200: SubscriptionShape },
  refuses: ['not_found', 'subscription_not_resumable'],
})
