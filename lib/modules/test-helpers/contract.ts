import { z } from 'zod'
import { parseDuration } from '../../kernel/calendar.ts'
import { type RuleProblem, ruleProblem } from '../../kernel/rule-problem.ts'
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

export const ClockShape = z
  .object({ now: WireMoment.describe('The time on the test clock.') })
  .meta({ id: 'TestClock' })

const AdvanceShape = z
  .object({
    now: WireMoment.describe('The time on the test clock.'),
    ran: z.int().describe('The number of tasks that this advance ran.'),
    remaining: z.int().describe('The number of due tasks that are still running in the background.'),
    waiting: z
      .array(
        z.object({
          orderId: z.string().describe('The order.'),
          subscriptionId: z.string().nullable().describe('The subscription of the order. Null for a purchase.'),
        }),
      )
      .describe('The orders that wait for `simulate-payment`, the oldest first, at most 100.'),
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
  description: "Returns the time on the storefront's test clock.",
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
    "Moves the storefront's test clock forward, and runs the tasks that become due, in the order of " +
    'their due times. The response arrives when all tasks have run, or after 30 seconds with the ' +
    'number of tasks that still run in the background. Refuses a second advance while one is running.',
  body: z.object({
    by: Duration.optional().describe('An ISO 8601 duration, such as `P1M` or `PT25H`. Send either `by` or `to`.'),
    to: Moment.optional().describe(
      'The new time, which must be later than the time on the clock. Send either `to` or `by`.',
    ),
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
    .describe('Why the payment fails (default: `general_failure`). Only with `paymentStatus` `failed`.'),
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
    'Requests the next renewal of a subscription early. The renewal runs a few seconds later. The ' +
    'response is the subscription before the renewal. Sends `subscription.updated`, and `order.paid` ' +
    'or `order.payment_failed` for the outcome. Refuses: a subscription that is not active or has no ' +
    'next renewal, a second request while the first is unresolved, and `paid` if no payment method ' +
    'can be charged.',
  params: z.object({ id: id('subscription_') }),
  body: z.object({
    paymentStatus: z
      .enum(['paid', 'failed'])
      .nullish()
      .describe('The outcome of the payment. If omitted, the payment stays pending.'),
    ...SimulatedOutcome,
  }),
  validateCombination: onlyWithFailed,
  responses: { 200: SubscriptionShape },
  refuses: ['test_mode_only', 'storefront_suspended', 'not_found', 'subscription_not_renewable', 'already_in_flight'],
  testOnly: true,
})

const PaymentBehaviorShape = z
  .object({
    outcome: z.enum(['paid', 'failed']).describe('The outcome of the next charges.'),
    failureReason: z.enum(failureReasons).nullable().describe('Why the charges fail. Null if the charges are paid.'),
    times: z
      .int()
      .nullable()
      .describe('The number of charges that fail. Null if every charge has this outcome until you change the outcome.'),
  })
  .meta({ id: 'PaymentBehavior' })

const mostTimes = 100

export const setPaymentBehavior = endpoint({
  id: 'setPaymentBehavior',
  method: 'POST',
  path: '/v1/test-helpers/subscriptions/{id}/payment-behavior',
  scope: 'no_refunds',
  tag,
  summary: 'Set the outcome of the next charges of a subscription.',
  description:
    'An addition to the contract. Makes the test provider decline the next charges of the ' +
    "subscription's payment method (`failed`), or accept them again (`paid`). The times of the " +
    'charges do not change. The outcome applies until you change it, or to `times` charges. A pending ' +
    'charge keeps its outcome. Refuses a subscription without a payment method.',
  params: z.object({ id: id('subscription_') }),
  body: z.object({
    outcome: z.enum(['paid', 'failed']).describe('The outcome of the next charges.'),
    failureReason: z
      .enum(failureReasons)
      .nullish()
      .describe('Why the charges fail (default: `general_failure`). Only with `outcome` `failed`.'),
    times: z
      .int()
      .min(1)
      .max(mostTimes)
      .nullish()
      .describe('The number of charges that fail. Later charges are paid. Only with `outcome` `failed`.'),
  }),
  validateCombination: ({ outcome, failureReason, times }): Record<string, RuleProblem> => ({
    ...(outcome !== 'failed' && isGiven(failureReason) && { failureReason: ruleProblem('only_failed') }),
    ...(outcome !== 'failed' && isGiven(times) && { times: ruleProblem('only_failed') }),
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
    'Settles or declines the pending payment of an order that is charged to a saved payment method. ' +
    'The outcome is applied a few seconds later, with `order.paid` or `order.payment_failed`. The ' +
    'response is the order before the outcome. Refuses an order without such a payment, and a second ' +
    'request while the first is queued.',
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
