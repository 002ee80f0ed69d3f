import type { z } from 'zod'
import { whole } from './config-values.ts'

const days = (rule: string, least: number) =>
  whole(rule, 0, 3_650).refine((value) => value === 0 || value >= least, rule)

/** Attempts are kept for 90 days and can be sent again meanwhile, so deliveries and events last as long. */
const ofWebhooks = 'must be a number of days from 90 to 3650, or 0 to keep them for good'

export const retentionVariables = {
  /** A year and a month: last year's renewals can still be compared. */
  EVENT_RETENTION_DAYS: days(ofWebhooks, 90)
    .default(400)
    .describe('Days after which events are removed. `0` keeps them.'),
  DELIVERY_RETENTION_DAYS: days(ofWebhooks, 90)
    .optional()
    .describe(
      'Days after which finished deliveries are removed, not longer than events. If not set: 180, or ' +
        'as long as events if that is shorter. `0` keeps them.',
    ),
  /**
   * By default four years: claims end three years after the year they arose in (such as BGB, §§ 195, 199). At least the
   * year and 14 days in which an uninformed consumer can withdraw (Directive 2011/83/EU, art. 10).
   */
  EMAIL_RETENTION_DAYS: days('must be a number of days from 380 to 3650, or 0 to keep them for good', 380)
    .default(1_461)
    .describe('Days after which emails are removed, unless they still wait to be sent. `0` keeps them.'),
  DOCUMENT_RETENTION_YEARS: whole('must be a number of years from 6 to 30', 6, 30)
    .default(10)
    .describe('Whole calendar years for which the invoices of an erased customer still name the buyer.'),
}

/** Twice the retention of an attempt: a delivery re-sent on its last day keeps its attempts for their whole time. */
const deliveryDays = 180

type Values = z.output<z.ZodObject<typeof retentionVariables>>

export const retentionOf = (value: Values) => ({
  /** Days after which rows are removed; 0 is never. */
  retentionDays: {
    deliveries:
      value.DELIVERY_RETENTION_DAYS ?? Math.min(deliveryDays, value.EVENT_RETENTION_DAYS || Number.POSITIVE_INFINITY),
    events: value.EVENT_RETENTION_DAYS,
    emails: value.EMAIL_RETENTION_DAYS,
  },
  /** Whole calendar years for which issued documents of an erased customer name the buyer. */
  documentRetentionYears: value.DOCUMENT_RETENTION_YEARS,
})

/** The error if deliveries would be kept longer than their events. */
export const retentionConflict = ({
  EVENT_RETENTION_DAYS: events,
  DELIVERY_RETENTION_DAYS: deliveries,
}: Values): string | null =>
  events > 0 && deliveries !== undefined && (deliveries === 0 || deliveries > events)
    ? 'must not be longer than EVENT_RETENTION_DAYS: a delivery is shown, and sent again, with its event'
    : null
