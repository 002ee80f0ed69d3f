import { expect, it } from 'vitest'
import { groupBy } from './group.ts'

it('groupBy keeps the order of the elements within each group', () => {
  expect(groupBy([1, 2, 3, 4], (number) => number % 2)).toEqual(
    new Map([
      [1, [1, 3]],
      [0, [2, 4]],
    ]),
  )
})
