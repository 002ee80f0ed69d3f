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

export const ClockShape = z.object({ now: WireMoment }).meta({ id: 'TestClock' })

const AdvanceShape = z
  .object({
    now: WireMoment,
    ran: z.int().meta({ description: 'Timers that ran in this move.' }),
    remaining: z.int().meta({ description: 'Due timers that are still running in the background.' }),
  })
  .meta({ id: 'TestClockAdvance' })

const tag = 'Test helpers'

export const getClock = endpoint({
  id: 'getTestClock',
  method: 'GET',
  path: '/v1/test-helpers/clock',
  tag,
  summary: "The moment on the clock of the storefront's test mode.",
  responses: { 200: ClockShape },
  refuses: ['test_mode_only'],
  testOnly: true,
})

export const advanceClock = endpoint({
  id: 'advanceTestClock',
  method: 'POST',
  path: '/v1/test-helpers/clock/advance',
  tag,
  summary: "Move the clock of the storefront's test mode forward. Timers that fall due run in their order.",
  body: z.object({ by: Duration.optional(), to: Moment.optional() }),
  validateCombination: ({ by, to }): Record<string, string> =>
    (by === undefined) === (to === undefined) ? { by: 'Send either by (a duration) or to (a moment).' } : {},
  responses: { 200: AdvanceShape },
  refuses: ['test_mode_only', 'clock_busy'],
  testOnly: true,
})

const SimulatedOutcome = { failureReason: z.enum(failureReasons).nullish() }

const onlyWithFailed = ({
  paymentStatus,
  failureReason,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  failureReason && paymentStatus !== 'failed' ? { failureReason: 'Only with paymentStatus "failed".' } : {}

export const fastForwardRenewal = endpoint({
  id: 'fastForwardRenewal',
  method: 'POST',
  path: '/v1/test-helpers/subscriptions/{subscriptionId}/fast-forward-renewal',
  tag,
  summary: 'Renew a subscription before its time, a few seconds later, with the outcome of its payment or without.',
  params: z.object({ subscriptionId: id('subscription_') }),
  body: z.object({ paymentStatus: z.enum(['paid', 'failed']).nullish(), ...SimulatedOutcome }),
  validateCombination: onlyWithFailed,
  responses: { 200: SubscriptionShape },
  refuses: ['test_mode_only', 'not_found', 'subscription_not_renewable', 'already_in_flight'],
  testOnly: true,
})

export const simulatePayment = endpoint({
  id: 'simulatePayment',
  method: 'POST',
  path: '/v1/test-helpers/orders/{orderId}/simulate-payment',
  tag,
  summary: 'Settle or decline the pending payment of an order that is charged to a saved method, a few seconds later.',
  params: z.object({ orderId: id('order_') }),
  body: z.object({ paymentStatus: z.enum(['paid', 'failed']), ...SimulatedOutcome }),
  validateCombination: onlyWithFailed,
  responses: { 200: OrderShape },
  refuses: ['test_mode_only', 'not_found', 'already_in_flight'],
  testOnly: true,
})
