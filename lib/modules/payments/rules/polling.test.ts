import { expect, it } from 'vitest'
import { nextLook } from './polling.ts'

const since = new Date('2027-01-01T00:00:00Z')
const after = (seconds: number) => new Date(since.getTime() + seconds * 1000)

it.each([
  ['at the start', 0, 30],
  ['after five minutes', 300, 30],
  ['after ten minutes', 600, 30],
  ['after an hour', 3600, 180],
  ['after a day', 86_400, 3600],
  ['after two weeks', 14 * 86_400, 3600],
  ['on a clock that was set back', -600, 30],
])(
  'counted from the creation of a pending payment: if it is fetched %s, the next fetch is %s seconds later',
  (_, passed, wait) => {
    expect(nextLook(since, after(passed))).toEqual(after(passed + wait))
  },
)
