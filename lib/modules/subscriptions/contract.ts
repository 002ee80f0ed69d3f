import { z } from 'zod'
import { intervals } from '../../kernel/calendar.ts'
import { endOfTime, parseDay } from '../../kernel/moment.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { listQuery, listShape } from '../../platform/http/paging.ts'
import {
  BillingAddressShape,
  id,
  LinkShape,
  MetadataShape,
  Moment,
  MoneyShape,
  OptionalMetadata,
  priceIn,
  queryBoolean,
  SelfLink,
  WireMoment,
} from '../../platform/http/shapes.ts'
import { RecoveryShape } from '../recovery/contract.ts'
import { feedbackReasons } from './rules/feedback.ts'

const Terms = {
  subscriptionPlanId: z.string().describe('The id of the plan.'),
  name: z.string().describe('The name of the plan.'),
  description: z.string().describe('The description of the plan.'),
  basePrice: MoneyShape.describe('The price of one unit for a billing interval, with or without tax as on the plan.'),
  quantity: z.int().describe('The number of units, such as seats.'),
  interval: z.enum(intervals).describe('The unit of the billing interval.'),
  intervalCount: z.int().describe('The number of interval units in a billing cycle.'),
}

const SubscriptionStatus = z.enum(['created', 'trial', 'active', 'canceled', 'on_grace_period', 'paused'])

export const SubscriptionShape = z
  .object({
    id: z.string().describe('The id of this subscription.'),
    resource: z.literal('subscription').describe('The type of the resource.'),
    testmode: z.boolean().describe('Whether the subscription belongs to test mode.'),
    customerId: z.string().describe('The id of the customer.'),
    ...Terms,
    billingAddress: BillingAddressShape.describe('The billing details of the next order.'),
    status: SubscriptionStatus.describe(
      '`created` waits for its first payment. `on_grace_period` is canceled and lasts until the end of the paid period.',
    ),
    cancellationReason: z
      .enum(['payment_failure', 'merchant_request', 'customer_request'])
      .nullable()
      .describe('Why the subscription is canceled; null if no cancellation was requested.'),
    cancellationFeedback: z
      .object({
        reason: z.enum(feedbackReasons).nullable().describe('The reason that the customer chose.'),
        comment: z.string().nullable().describe("The customer's own words."),
      })
      .nullable()
      .describe('The feedback that the customer gave with a cancellation in the portal. Null without feedback.'),
    mandate: z
      .object({
        method: z.enum(['card', 'sepa_debit', 'paypal', 'bacs_debit']).describe('The type of the payment method.'),
        maskedIdentifier: z.string().describe('The masked identifier, such as the last 4 digits of a card.'),
      })
      .nullable()
      .describe('The payment method that is charged; null without one.'),
    startedAt: WireMoment.nullable().describe('When the subscription started; null before that.'),
    endedAt: WireMoment.nullable().describe('When the subscription ended. Null during a grace period.'),
    canceledAt: WireMoment.nullable().describe('When the subscription was canceled. Null again after a resume.'),
    renewedAt: WireMoment.nullable().describe('When the subscription was last renewed. Null before the first renewal.'),
    renewedUntil: WireMoment.nullable().describe('The end of the current billing period, or of the trial.'),
    paidUntil: WireMoment.nullable().describe(
      'The end of the last period whose order was paid; equals `renewedUntil` when nothing is owed.',
    ),
    nextRenewalAt: WireMoment.nullable().describe(
      'When the subscription renews next. Null after a cancellation or end.',
    ),
    trialUntil: WireMoment.nullable().describe('The end of the trial; null outside a trial.'),
    metadata: MetadataShape,
    scheduledUpdate: z
      .object({
        ...Terms,
        effectiveAt: WireMoment.nullable().describe('The time of the next renewal. Null if no renewal is scheduled.'),
      })
      .nullable()
      .describe('The values after the next renewal, if a change is scheduled. Otherwise null.'),
    recovery: RecoveryShape.nullable().describe('The order whose payment failed, and the next steps. Otherwise null.'),
    links: z
      .object({ self: SelfLink, customer: LinkShape.describe('The customer.') })
      .describe('Links to related resources.'),
  })
  .meta({ id: 'Subscription' })

const mostQuantity = 999_999

/** A change accepts a price per unit only in EUR or USD. A price in another currency requires another plan. */
const RecurringPrice = priceIn(
  z.enum(['EUR', 'USD'], { error: 'Must be "EUR" or "USD". Another currency requires a plan in that currency.' }),
)

const Day = z
  .string()
  .refine((value) => parseDay(value) !== null, { error: 'Must be a day such as "2027-01-31", not after 2999-12-31.' })
  .transform((value) => parseDay(value) ?? endOfTime)
  .meta({ format: 'date' })

export const ChangeBody = z.object({
  subscriptionPlanId: id('subscription_plan_')
    .nullish()
    .describe('The id of the plan to switch to. The plan must not be archived.'),
  quantity: z.int().min(1).max(mostQuantity).nullish().describe('The new total number of units.'),
  price: RecurringPrice.nullish().describe("The new recurring price of one unit, in the subscription's own currency."),
  prorate: z
    .boolean()
    .default(true)
    .describe('Whether unused time is credited, and the remaining time charged at the new price.'),
  applyImmediately: z
    .boolean()
    .default(false)
    .describe('Whether the change applies now. If false, it waits in `scheduledUpdate` for the next renewal.'),
  invoiceImmediately: z
    .boolean()
    .default(false)
    .describe('Whether the prorated amount is charged now. If false, the next renewal charges the amount.'),
  anchor: Day.nullish().describe(
    'The day (UTC) from which billing periods count: in the future, at most one interval ahead. ' +
      'Cannot be combined with `resetAnchor`.',
  ),
  resetAnchor: z
    .boolean()
    .default(false)
    .describe('Whether billing periods count from the time of the change. Cannot be combined with `anchor`.'),
  trialUntil: Moment.nullish().describe(
    'The new end of the trial, not before the end of the paid period. It takes effect at once. Cannot ' +
      'be combined with `anchor`.',
  ),
  metadata: OptionalMetadata.describe(
    'Replaces the metadata at once, even if the other changes are scheduled. Null clears the metadata.',
  ),
  asOf: Moment.nullish().describe(
    'An addition to the contract. The time for the proration and tax of an immediate change: the ' +
      '`asOf` of a preview. At most one hour old, not in the future, and not before the last change of ' +
      'the subscription. Refused if the amounts of the change are no longer the amounts of the preview.',
  ),
})

export const namesTerms = (body: Readonly<Record<string, unknown>>): boolean =>
  ['subscriptionPlanId', 'quantity', 'price', 'anchor', 'trialUntil'].some(
    (field) => body[field] !== undefined && body[field] !== null,
  ) || body.resetAnchor === true

export function validateCombination(body: Readonly<Record<string, unknown>>): Record<string, string> {
  const isSent = (field: string) => body[field] !== undefined && body[field] !== null
  const names = isSent('subscriptionPlanId') || isSent('quantity') || isSent('price')
  return {
    ...(!names &&
      namesTerms(body) && {
        subscriptionPlanId: 'With anchor, resetAnchor or trialUntil, also send subscriptionPlanId, quantity or price.',
      }),
    ...(!names &&
      !namesTerms(body) &&
      body.metadata === undefined && {
        subscriptionPlanId: 'Send at least one of subscriptionPlanId, quantity, price and metadata.',
      }),
    ...(isSent('anchor') && body.resetAnchor === true && { anchor: 'Cannot be combined with resetAnchor.' }),
    ...(isSent('anchor') && isSent('trialUntil') && { trialUntil: 'Cannot be combined with anchor.' }),
  }
}

const tag = 'Subscriptions'

const subscriptionFilters = {
  subscriptionPlanId: id('subscription_plan_').optional().describe('Only the subscriptions that are on this plan now.'),
  status: SubscriptionStatus.optional().describe('Only the subscriptions with this status.'),
}

export const listSubscriptions = endpoint({
  id: 'listSubscriptions',
  method: 'GET',
  path: '/v1/subscriptions',
  scope: 'read_only',
  tag,
  summary: 'List subscriptions.',
  description: 'Returns the subscriptions of the storefront and mode, newest first.',
  query: listQuery({
    customerId: id('customer_').optional().describe('Only the subscriptions of this customer.'),
    ...subscriptionFilters,
  }),
  responses: { 200: listShape(SubscriptionShape) },
  refuses: [],
})

export const getSubscription = endpoint({
  id: 'getSubscription',
  method: 'GET',
  path: '/v1/subscriptions/{id}',
  scope: 'read_only',
  tag,
  summary: 'Get a subscription.',
  description: 'Returns a subscription.',
  params: z.object({ id: id('subscription_') }),
  responses: { 200: SubscriptionShape },
  refuses: ['not_found'],
})

export const listCustomerSubscriptions = endpoint({
  id: 'listCustomerSubscriptions',
  method: 'GET',
  path: '/v1/customers/{id}/subscriptions',
  scope: 'read_only',
  tag,
  summary: 'List the subscriptions of a customer.',
  description: 'Returns the subscriptions of one customer, newest first.',
  params: z.object({ id: id('customer_') }),
  query: listQuery(subscriptionFilters),
  responses: { 200: listShape(SubscriptionShape) },
  refuses: ['not_found'],
})

export const getCustomerSubscription = endpoint({
  id: 'getCustomerSubscription',
  method: 'GET',
  path: '/v1/customers/{id}/subscriptions/{subscriptionId}',
  scope: 'read_only',
  tag,
  summary: 'Get a subscription of a customer.',
  description: 'Returns a subscription of one customer.',
  params: z.object({ id: id('customer_'), subscriptionId: id('subscription_') }),
  responses: { 200: SubscriptionShape },
  refuses: ['not_found'],
})

export const changeSubscription = endpoint({
  id: 'changeSubscription',
  method: 'PATCH',
  path: '/v1/subscriptions/{id}',
  scope: 'no_refunds',
  tag,
  summary: 'Change a subscription.',
  description:
    'Changes the plan, quantity or price, now or at the next renewal. `metadata` changes at once. At least one of ' +
    '`subscriptionPlanId`, `quantity`, `price` and `metadata` is required. An immediate change sends ' +
    '`subscription.updated`. A scheduled change sends `subscription.update_scheduled`, and `subscription.updated` ' +
    'at the renewal. The charge of a change sends `order.paid` or `order.payment_failed`. Values that equal the ' +
    'current values change nothing. Refuses: a scheduled change in a grace period, a change whose credit exceeds ' +
    'its charge, an archived plan, and more than 20 immediate charges of a subscription in an hour.',
  params: z.object({ id: id('subscription_') }),
  body: ChangeBody,
  validateCombination,
  responses: { 200: SubscriptionShape },
  refuses: ['storefront_suspended', 'not_found', 'subscription_not_changeable', 'too_many_charges'],
})

export const cancelSubscription = endpoint({
  id: 'cancelSubscription',
  method: 'DELETE',
  path: '/v1/subscriptions/{id}',
  scope: 'no_refunds',
  tag,
  summary: 'Cancel a subscription.',
  description:
    'By default, the subscription ends at the end of the paid period. Sends ' +
    '`subscription.canceled_with_grace_period`, and at the end ' +
    '`subscription.cancellation_grace_period_completed`. With `immediately=true`, or without remaining paid time, ' +
    'the subscription ends now and sends `subscription.canceled_immediately`. Discards the scheduled update and ' +
    'prorated amounts that wait for the next renewal. A repeated request without `immediately` changes nothing. ' +
    'Refuses a subscription that has not started or has ended.',
  params: z.object({ id: id('subscription_') }),
  query: z.object({
    immediately: queryBoolean
      .optional()
      .describe('Whether the subscription ends now. If false, it ends with the paid period.'),
  }),
  body: z.object({
    immediately: z.boolean().optional().describe('The same as the query parameter, for clients that send a body.'),
  }),
  responses: { 204: null },
  refuses: ['not_found', 'subscription_not_cancelable'],
})

export function isImmediate(query: { immediately?: boolean | undefined }, body: { immediately?: boolean | undefined }) {
  const sent = [query.immediately, body.immediately].filter((value) => typeof value === 'boolean')
  if (new Set(sent).size > 1)
    throw new Refusal('validation_failed', { immediately: ['Query and body differ. Send the field only once.'] })
  return sent[0] ?? false
}

export const resumeSubscription = endpoint({
  id: 'resumeSubscription',
  method: 'POST',
  path: '/v1/subscriptions/{id}/resume',
  scope: 'no_refunds',
  tag,
  summary: 'Resume a canceled subscription.',
  description:
    'Withdraws a cancellation during the grace period. The subscription is active, in trial, or ' +
    'paused again, as before the cancellation. Nothing is charged. Sends `subscription.resumed`. ' +
    'Refuses a subscription that is not in its grace period.',
  params: z.object({ id: id('subscription_') }),
  responses: { 200: SubscriptionShape },
  refuses: ['not_found', 'subscription_not_resumable'],
})
