import { expect, it } from 'vitest'
import { groupBy } from './group.ts'

it('each group keeps the order of its elements', () => {
  expect(groupBy([1, 2, 3, 4], (number) => number % 2)).toEqual(
    new Map([
      [1, [1, 3]],
      [0, [2, 4]],
    ]),
  )
})
