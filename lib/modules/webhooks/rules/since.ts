import { parseMoment } from '../../../kernel/moment.ts'
import { sentAgainDays } from './limits.ts'

/** How many days ago the proposed time is. */
const usualDays = 1

const daysBefore = (moment: Date, days: number): Date => new Date(moment.getTime() - days * 24 * 3600 * 1000)

/** A time in UTC in the form of a `datetime-local` field, such as `2027-01-31T09:30`. */
const typedMoment = (moment: Date): string => moment.toISOString().slice(0, 16)

/** The proposed time: one day ago. */
export const usualSince = (now: Date): string => typedMoment(daysBefore(now, usualDays))

/**
 * A typed time in UTC, with or without seconds, in the past and at most `sentAgainDays` ago; null for any other text.
 */
export function parseSince(text: string, now: Date): Date | null {
  const typed = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.exec(text.trim())?.[0]
  const since = typed === undefined ? null : parseMoment(`${typed.padEnd(19, ':00')}Z`)
  return since && since <= now && since >= daysBefore(now, sentAgainDays) ? since : null
}
