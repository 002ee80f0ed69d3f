import { expect, it } from 'vitest'
import { only } from './only.ts'

it('is the one element', () => {
  expect(only([7])).toBe(7)
})

it.each([[[]], [[1, 2]]])('throws where there is not exactly one: %j', (list: number[]) => {
  expect(() => only(list)).toThrow(`one element was expected, not ${list.length}`)
})
