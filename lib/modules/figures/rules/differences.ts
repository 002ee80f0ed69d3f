import type { FigureDay } from './figure-day.ts'
import { groupBy } from './group.ts'

export interface FigureDifference {
  readonly day: string
  readonly currency: string
  readonly figure: string
  readonly before: string | null
  readonly after: string | null
}

export function differencesOf(before: readonly FigureDay[], after: readonly FigureDay[]): FigureDifference[] {
  const key = ({ day, currency }: FigureDay) => `${day} ${currency}`
  const [was, is] = [groupBy(before, key), groupBy(after, key)]
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((of) => {
    const [then, now] = [was.get(of)?.[0], is.get(of)?.[0]]
    const [day = '', currency = ''] = of.split(' ')
    return namesOf(then ?? now).flatMap((figure) => {
      const [before, after] = [textOf(then, figure), textOf(now, figure)]
      return before === after ? [] : [{ day, currency, figure, before, after }]
    })
  })
}

const namesOf = (figures: FigureDay | undefined): (keyof FigureDay)[] =>
  (Object.keys(figures ?? {}) as (keyof FigureDay)[]).filter((name) => name !== 'day' && name !== 'currency')

function textOf(figures: FigureDay | undefined, name: keyof FigureDay): string | null {
  if (!figures) return null
  const value = figures[name]
  if (!(value instanceof Map)) return String(value)
  return [...value]
    .map(([key, each]) => `${key}=${each}`)
    .sort()
    .join(' ')
}

export const verdictOf = (differences: readonly object[]): string =>
  differences.length === 0
    ? 'All figures agree with events and ledger.'
    : `${differences.length} figures differed, and are corrected.`
