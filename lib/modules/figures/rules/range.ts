import { daysAfter, daysBetween, laterDay, startOf } from './days.ts'

export const ranges = ['30d', '90d', '12m'] as const
export type Range = (typeof ranges)[number]

export const isRange = (name: string | null | undefined): name is Range => ranges.some((range) => range === name)

export interface Part {
  readonly from: string
  readonly to: string
}

/** The parts of a range, oldest first: 30 days, 13 weeks (the first has 6 days), or 12 calendar months. */
export function partsOf(range: Range, today: string): readonly [Part, ...Part[]] {
  if (range === '12m') return months(today)
  const [days, length] = range === '30d' ? [30, 1] : [90, 7]
  const first = daysAfter(today, 1 - days)
  const parts: Part[] = []
  for (let to = today; to >= first; to = daysAfter(to, -length)) {
    const from = daysAfter(to, 1 - length)
    parts.unshift({ from: laterDay(from, first), to })
  }
  return withFirst(parts)
}

function months(today: string): readonly [Part, ...Part[]] {
  const [year, month] = [startOf(today).getUTCFullYear(), startOf(today).getUTCMonth()]
  const firstOf = (ahead: number) => new Date(Date.UTC(year, month + ahead, 1)).toISOString().slice(0, 10)
  const parts = Array.from({ length: 12 }, (_, index) => ({
    from: firstOf(index - 11),
    to: index === 11 ? today : daysAfter(firstOf(index - 10), -1),
  }))
  return withFirst(parts)
}

function withFirst(parts: readonly Part[]): readonly [Part, ...Part[]] {
  const [first, ...others] = parts
  if (!first) throw new RangeError('a range has a part')
  return [first, ...others]
}

export function partBefore([first]: readonly [Part, ...Part[]], today: string): Part {
  return { from: daysAfter(first.from, -1 - daysBetween(first.from, today)), to: daysAfter(first.from, -1) }
}
