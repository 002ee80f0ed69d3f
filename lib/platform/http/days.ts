import { parseTypedDay } from '../../kernel/typed-day.ts'
import type { PageQuery } from './paging.ts'

interface Days {
  readonly from: string | null
  readonly to: string | null
  readonly range: Pick<PageQuery, 'createdAfter' | 'createdBefore'>
}

/** Parses `from` and `to`, both inclusive. Ignores a value that is not a day such as `2026-11-29`. */
export function days({ from = null, to = null }: Readonly<Record<string, string | null | undefined>>): Days {
  const [first, last] = [parseTypedDay(from), parseTypedDay(to)]
  return {
    from: first && from,
    to: last && to,
    range: { ...(first && { createdAfter: first.start }), ...(last && { createdBefore: last.end }) },
  }
}
