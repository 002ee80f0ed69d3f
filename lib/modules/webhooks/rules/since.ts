import { parseMoment } from '../../../kernel/moment.ts'
import { sentAgainDays } from './limits.ts'

const usualDays = 1

const daysBefore = (moment: Date, days: number): Date => new Date(moment.getTime() - days * 24 * 3600 * 1000)

/** Returns a time in UTC in the format of a `datetime-local` field: `2027-01-31T09:30`. */
const typedMoment = (moment: Date): string => moment.toISOString().slice(0, 16)

export const usualSince = (now: Date): string => typedMoment(daysBefore(now, usualDays))

/** Parses a time in UTC, with or without seconds. Returns null for any other text, for a future time, and for a time more than `sentAgainDays` ago. */
export function parseSince(text: string, now: Date): Date | null {
  const typed = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.exec(text.trim())?.[0]
  const since = typed === undefined ? null : parseMoment(`${typed.padEnd(19, ':00')}Z`)
  return since && since <= now && since >= daysBefore(now, sentAgainDays) ? since : null
}
