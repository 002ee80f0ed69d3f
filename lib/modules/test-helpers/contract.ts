import { z } from 'zod'
import { parseDuration } from '../../kernel/calendar.ts'
import { endpoint } from '../../platform/http/endpoint.ts'
import { id, Moment, WireMoment } from '../../platform/http/shapes.ts'
import { OrderShape } from '../orders/contract.ts'
import { failureReasons } from '../payments/rules/failure.ts'
import { SubscriptionShape } from '../subscriptions/contract.ts'

const Duration = z
  .string()
  .refine((value) => value.length <= 100 && parseDuration(value) !== null, {
    error: 'Must be an ISO 8601 duration such as "P1M" or "PT25H".',
  })
  .transform((value) => parseDuration(value) ?? {})

export const ClockShape = z.object({ now: WireMoment.describe('The moment on the clock.') }).meta({ id: 'TestClock' })

const AdvanceShape = z
  .object({
    now: WireMoment.describe('The moment on the clock.'),
    ran: z.int().describe('The number of tasks that this advance ran.'),
    remaining: z.int().describe('The number of due tasks that are still running in the background.'),
    waiting: z
      .array(
        z.object({
          orderId: z.string().describe('The order.'),
          subscriptionId: z.string().nullable().describe('Its subscription; null for a purchase.'),
        }),
      )
      .describe('The orders that only `simulate-payment` settles, the oldest first, at most 100.'),
  })
  .meta({ id: 'TestClockAdvance' })

const tag = 'Test helpers'

export const getClock = endpoint({
  id: 'getTestClock',
  method: 'GET',
  path: '/v1/test-helpers/clock',
  scope: 'read_only',
  tag,
  summary: 'Get the test clock.',
  description: "Returns the moment on the clock of the storefront's test mode.",
  responses: { 200: ClockShape },
  refuses: ['test_mode_only'],
  testOnly: true,
})

export const advanceClock = endpoint({
  id: 'advanceTestClock',
  method: 'POST',
  path: '/v1/test-helpers/clock/advance',
  scope: 'no_refunds',
  tag,
  summary: 'Advance the test clock.',
  description:
    "Moves the clock of the storefront's test mode forward and runs what falls due, in its order. The " +
    'answer comes when everything has run, or after 30 seconds with the number of tasks that still run in ' +
    'the background. Refuses a second advance while one is running.',
  body: z.object({
    by: Duration.optional().describe('An ISO 8601 duration, such as `P1M` or `PT25H`. Either this or `to`.'),
    to: Moment.optional().describe('A moment ahead of the clock. Either this or `by`.'),
  }),
  validateCombination: ({ by, to }): Record<string, string> =>
    (by === undefined) === (to === undefined) ? { by: 'Send either by (a duration) or to (a moment).' } : {},
  responses: { 200: AdvanceShape },
  refuses: ['test_mode_only', 'clock_busy'],
  testOnly: true,
})

const SimulatedOutcome = {
  failureReason: z
    .enum(failureReasons)
    .nullish()
    .describe('Why the payment fails: `general_failure` by default. With `paymentStatus` `failed` only.'),
}

const onlyWithFailed = ({
  paymentStatus,
  failureReason,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  failureReason && paymentStatus !== 'failed' ? { failureReason: 'Only with paymentStatus "failed".' } : {}

export const fastForwardRenewal = endpoint({
  id: 'fastForwardRenewal',
  method: 'POST',
  path: '/v1/test-helpers/subscriptions/{id}/fast-forward-renewal',
  scope: 'no_refunds',
  tag,
  summary: 'Renew a subscription early.',
  description:
    'Requests the next renewal of a subscription before its time. It runs a few seconds later; the answer ' +
    'is the subscription before it. Sends `subscription.updated`, and `order.paid` or ' +
    '`order.payment_failed` for the outcome. Refuses a subscription that is not active or has no next ' +
    'renewal, a second request while one is not resolved, and `paid` if no payment method can be charged.',
  params: z.object({ id: id('subscription_') }),
  body: z.object({
    paymentStatus: z
      .enum(['paid', 'failed'])
      .nullish()
      .describe('The outcome of the payment. Left out, the payment stays pending.'),
    ...SimulatedOutcome,
  }),
  validateCombination: onlyWithFailed,
  responses: { 200: SubscriptionShape },
  refuses: ['test_mode_only', 'storefront_suspended', 'not_found', 'subscription_not_renewable', 'already_in_flight'],
  testOnly: true,
})

const PaymentBehaviorShape = z
  .object({
    outcome: z.enum(['paid', 'failed']).describe('What happens to the coming charges.'),
    failureReason: z.enum(failureReasons).nullable().describe('Why they fail; null if they are paid.'),
    times: z.int().nullable().describe('How many charges fail; null until the behavior is changed.'),
  })
  .meta({ id: 'PaymentBehavior' })

const mostTimes = 100

export const setPaymentBehavior = endpoint({
  id: 'setPaymentBehavior',
  method: 'POST',
  path: '/v1/test-helpers/subscriptions/{id}/payment-behavior',
  scope: 'no_refunds',
  tag,
  summary: 'Make the coming charges of a subscription fail.',
  description:
    'An addition to the contract. The test provider declines the coming charges on the payment method of the ' +
    'subscription (`failed`), by the schedule of real charges, or charges the method again (`paid`). It lasts until it ' +
    'is changed, or for `times` charges. A pending charge keeps its outcome. Refuses a subscription without a payment ' +
    'method.',
  params: z.object({ id: id('subscription_') }),
  body: z.object({
    outcome: z.enum(['paid', 'failed']).describe('What happens to the coming charges.'),
    failureReason: z
      .enum(failureReasons)
      .nullish()
      .describe('Why they fail: `general_failure` by default. With `outcome` `failed` only.'),
    times: z
      .int()
      .min(1)
      .max(mostTimes)
      .nullish()
      .describe('How many charges fail; later charges are paid. With `outcome` `failed` only.'),
  }),
  validateCombination: ({ outcome, failureReason, times }): Record<string, string> => ({
    ...(outcome !== 'failed' && isGiven(failureReason) && { failureReason: 'Only with outcome "failed".' }),
    ...(outcome !== 'failed' && isGiven(times) && { times: 'Only with outcome "failed".' }),
  }),
  responses: { 200: PaymentBehaviorShape },
  refuses: ['test_mode_only', 'not_found'],
  testOnly: true,
})

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

export const simulatePayment = endpoint({
  id: 'simulatePayment',
  method: 'POST',
  path: '/v1/test-helpers/orders/{id}/simulate-payment',
  scope: 'no_refunds',
  tag,
  summary: 'Simulate the outcome of a payment.',
  description:
    'Settles or declines the pending payment of an order that is charged to a saved payment method. The ' +
    'outcome is applied a few seconds later, with `order.paid` or `order.payment_failed`; the answer is ' +
    'the order before it. Refuses an order without such a payment, and a second request while one is ' +
    'queued.',
  params: z.object({ id: id('order_') }),
  body: z.object({
    paymentStatus: z.enum(['paid', 'failed']).describe('The outcome of the payment.'),
    ...SimulatedOutcome,
  }),
  validateCombination: onlyWithFailed,
  responses: { 200: OrderShape },
  refuses: ['test_mode_only', 'not_found', 'already_in_flight'],
  testOnly: true,
})
