import { z } from 'zod'
import { parseDuration } from '../kernel/calendar.ts'
import { endOfTime, parseMoment, toWire } from '../kernel/moment.ts'
import { endpoint } from '../platform/endpoint.ts'

const Duration = z
  .string()
  .refine((value) => value.length <= 100 && parseDuration(value) !== null, {
    error: 'Must be an ISO 8601 duration such as "P1M" or "PT25H".',
  })
  .transform((value) => parseDuration(value) ?? {})

const Moment = z
  .string()
  .refine((value) => parseMoment(value) !== null, {
    error: `Must be an ISO 8601 timestamp in UTC such as "2027-01-31T00:00:00Z", not after ${toWire(endOfTime)}.`,
  })
  .transform((value) => parseMoment(value) ?? endOfTime)

export const ClockShape = z.object({ now: z.string() }).meta({ id: 'TestClock' })

const AdvanceShape = z
  .object({
    now: z.string(),
    ran: z.int().meta({ description: 'Timers that ran in this move.' }),
    remaining: z.int().meta({ description: 'Timers that are due and go on by themselves.' }),
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
  body: z.object({ by: Duration.optional(), to: Moment.optional() }).superRefine((body, context) => {
    if ((body.by === undefined) === (body.to === undefined)) {
      context.addIssue({ code: 'custom', path: ['by'], message: 'Send either by (a duration) or to (a moment).' })
    }
  }),
  responses: { 200: AdvanceShape },
  refuses: ['test_mode_only', 'clock_busy'],
  testOnly: true,
})
