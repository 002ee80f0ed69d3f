import type { z } from 'zod'
import { whole } from './config-values.ts'

function days(kept: string, least: number) {
  const rule = `must be a number of days from ${least} to 3650, or 0 to keep ${kept} forever`
  return whole(rule, 0, 3_650).refine((value) => value === 0 || value >= least, rule)
}

/** A delivery can be re-sent while its attempts are stored, which is 90 days. Deliveries and their events must therefore be stored for at least 90 days. */
const leastOfWebhooks = 90

export const retentionVariables = {
  /** The default is 13 months, so that the events of a yearly renewal can be compared with the events of the previous renewal. */
  EVENT_RETENTION_DAYS: days('events', leastOfWebhooks).default(400).describe('Days after which events are removed.'),
  DELIVERY_RETENTION_DAYS: days('deliveries', leastOfWebhooks)
    .optional()
    .describe(
      'Days after which finished deliveries are removed, at most `EVENT_RETENTION_DAYS`. If not set: 180 or `EVENT_RETENTION_DAYS`, whichever is shorter.',
    ),
  /**
   * The default is four years, because claims expire three years after the end of the year in which they arose (such as BGB §§ 195, 199). The minimum covers
   * one year and 14 days, in which an uninformed consumer can withdraw (Directive 2011/83/EU, art. 10).
   */
  EMAIL_RETENTION_DAYS: days('all emails', 380)
    .default(1_461)
    .describe('Days after which emails are removed. Emails that wait to be sent are kept.'),
  DOCUMENT_RETENTION_YEARS: whole('must be a number of years from 6 to 30', 6, 30)
    .default(10)
    .describe('Whole calendar years after which the details of an erased customer are removed from invoices.'),
}

/**
 * The default retention of deliveries: twice the 90 days for which an attempt is stored. A delivery that is re-sent on
 * day 90 must stay for another 90 days, because its new attempts are stored for this time.
 */
const deliveryDays = 180

type Values = z.output<z.ZodObject<typeof retentionVariables>>

export const retentionOf = (value: Values) => ({
  /** The numbers of days for which rows are stored. 0 means that the rows are never deleted. */
  retentionDays: {
    deliveries:
      value.DELIVERY_RETENTION_DAYS ?? Math.min(deliveryDays, value.EVENT_RETENTION_DAYS || Number.POSITIVE_INFINITY),
    events: value.EVENT_RETENTION_DAYS,
    emails: value.EMAIL_RETENTION_DAYS,
  },
  /** Whole calendar years for which issued documents still show the details of an erased buyer. */
  documentRetentionYears: value.DOCUMENT_RETENTION_YEARS,
})

export const retentionConflict = ({
  EVENT_RETENTION_DAYS: events,
  DELIVERY_RETENTION_DAYS: deliveries,
}: Values): string | null =>
  events > 0 && deliveries !== undefined && (deliveries === 0 || deliveries > events)
    ? 'must not be longer than EVENT_RETENTION_DAYS, because a delivery needs its event'
    : null
