import { expect, it } from 'vitest'
import { nextLook } from './polling.ts'

const since = new Date('2027-01-01T00:00:00Z')
const after = (seconds: number) => new Date(since.getTime() + seconds * 1000)

it.each([
  ['at its creation', 0, 30],
  ['five minutes after its creation', 300, 30],
  ['ten minutes after its creation', 600, 30],
  ['an hour after its creation', 3600, 180],
  ['a day after its creation', 86_400, 3600],
  ['two weeks after its creation', 14 * 86_400, 3600],
  ['on a clock that was set back', -600, 30],
])('a pending payment that is fetched %s is fetched again %s seconds later', (_, passed, wait) => {
  expect(nextLook(since, after(passed))).toEqual(after(passed + wait))
})
