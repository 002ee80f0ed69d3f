import type { Interval } from '../../../kernel/calendar.ts'

export const mostUnits: Readonly<Record<Interval, number>> = { day: 365, week: 52, month: 12, year: 1 }

export interface IntervalLimits {
  readonly testmode: boolean
}

/** Why a plan cannot have this interval, or null. A year plan always bills once a year and ignores its count. */
export function intervalCountProblem(interval: Interval, intervalCount: number, { testmode }: IntervalLimits) {
  if (interval === 'day' && !testmode) {
    return { field: 'interval', sentence: 'Must be "week", "month" or "year": daily plans exist in test mode only.' }
  }
  if (interval === 'year' || intervalCount <= mostUnits[interval]) return null
  return { field: 'intervalCount', sentence: `Must be at most ${mostUnits[interval]} when interval is "${interval}".` }
}
