import { describe, expect, it } from 'vitest'
import { days } from './days.ts'

const range = (from?: string, to?: string) => days({ from, to }).range

describe('date ranges of lists', () => {
  it('a range of days begins at midnight UTC of the first day and ends at midnight after the last day', () => {
    expect(days({ from: '2026-11-01', to: '2026-11-30' })).toEqual({
      from: '2026-11-01',
      to: '2026-11-30',
      range: { createdAfter: new Date('2026-11-01T00:00:00Z'), createdBefore: new Date('2026-12-01T00:00:00Z') },
    })
  })

  it('a range of days without a first or last day has no limit on that side', () => {
    expect(range('2026-11-01')).toEqual({ createdAfter: new Date('2026-11-01T00:00:00Z') })
    expect(range(undefined, '2026-02-28')).toEqual({ createdBefore: new Date('2026-03-01T00:00:00Z') })
  })

  it.each(['', 'x', '2026-02-30', '2026-13-01', '2026-1-1', '2026-11-29T00:00', '99999-01-01', "2026-11-29'"])(
    'the invalid day %j is ignored',
    (value) => expect(days({ from: value, to: value })).toEqual({ from: null, to: null, range: {} }),
  )
})
