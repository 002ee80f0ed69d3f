import { type FigureDay, netRevenueOf } from './figure-day.ts'
import type { Part } from './range.ts'

export interface PeriodFigures extends Part {
  readonly netRevenue: bigint
  readonly new: bigint
  readonly expansion: bigint
  readonly contraction: bigint
  readonly churn: bigint
  readonly reactivation: bigint
  readonly closingMrr: bigint
  readonly openingSubscribers: number
  readonly churnedSubscribers: number
  readonly closingSubscribers: number
}

type Closing = Pick<FigureDay, 'closingMrr' | 'closingSubscribers'>

export function periodsOf(days: readonly FigureDay[], parts: readonly Part[], before: Closing | null): PeriodFigures[] {
  let last = before
  return parts.map(({ from, to }) => {
    const within = days.filter(({ day }) => day >= from && day <= to)
    const opening = last
    last = within.at(-1) ?? last
    const total = (amountOf: (day: FigureDay) => bigint) => within.reduce((sum, day) => sum + amountOf(day), 0n)
    return {
      from,
      to,
      netRevenue: total(netRevenueOf),
      new: total((day) => day.new),
      expansion: total((day) => day.expansion),
      contraction: total((day) => day.contraction),
      churn: total((day) => day.churn),
      reactivation: total((day) => day.reactivation),
      closingMrr: last?.closingMrr ?? 0n,
      openingSubscribers: opening?.closingSubscribers ?? 0,
      churnedSubscribers: within.reduce((count, day) => count + day.churnedSubscribers, 0),
      closingSubscribers: last?.closingSubscribers ?? 0,
    }
  })
}

export const churnRate = (opening: number, churned: number): number | null => (opening > 0 ? churned / opening : null)

export function largest<Value extends bigint | number>(
  days: readonly ReadonlyMap<string, Value>[],
  most: number,
): (readonly [string, Value])[] {
  const sums = new Map<string, Value>()
  for (const [key, value] of days.flatMap((day) => [...day])) {
    const before = sums.get(key)
    sums.set(key, (before === undefined ? value : (before as bigint) + (value as bigint)) as Value)
  }
  return [...sums].sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0)).slice(0, most)
}
