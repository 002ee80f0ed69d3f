import { expect, it } from 'vitest'
import { only } from './only.ts'

it('only() returns the element of a list with one element', () => {
  expect(only([7])).toBe(7)
})

it.each([[[]], [[1, 2]]])('only() throws if a list does not have exactly one element: %j', (list: number[]) => {
  expect(() => only(list)).toThrow(`one element was expected, not ${list.length}`)
})
