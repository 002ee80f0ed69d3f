import { expect, it } from 'vitest'
import { againAfterMs } from './schedule.ts'

it.each([
  [1, 5],
  [2, 5],
  [3, 10],
  [4, 20],
  [5, 40],
  [6, 60],
  [725, 60],
])('after %s times without an answer it is asked again after %s minutes', (attempts, minutes) => {
  expect(againAfterMs(attempts)).toBe(minutes * 60_000)
})

it('after a month nobody asks any more', () => {
  expect(againAfterMs(726)).toBeNull()
})
