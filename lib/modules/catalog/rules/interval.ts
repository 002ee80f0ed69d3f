import type { Interval } from '../../../kernel/calendar.ts'
import { type RuleProblem, ruleProblem } from '../../../kernel/rule-problem.ts'

export const mostUnits: Readonly<Record<Interval, number>> = { day: 365, week: 52, month: 12, year: 1 }

export interface IntervalLimits {
  readonly testmode: boolean
}

export function intervalCountProblem(
  interval: Interval,
  intervalCount: number,
  { testmode }: IntervalLimits,
): { readonly field: 'interval' | 'intervalCount'; readonly problem: RuleProblem } | null {
  if (interval === 'day' && !testmode) return { field: 'interval', problem: ruleProblem('interval_in_live_mode') }
  if (interval === 'year' || intervalCount <= mostUnits[interval]) return null
  return { field: 'intervalCount', problem: ruleProblem('interval_count', { most: mostUnits[interval], interval }) }
}
