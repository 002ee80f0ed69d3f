import { expect, it } from 'vitest'
import { defined, pick } from './fields.ts'

it('defined() keeps null, false, and empty values, and drops undefined values', () => {
  expect(defined({ a: null, b: undefined, c: '', d: false, e: 0 })).toEqual({ a: null, c: '', d: false, e: 0 })
  expect(Object.keys(defined({ b: undefined }))).toEqual([])
})

it('pick() returns the named fields in the order of the names', () => {
  expect(Object.entries(pick({ a: 1, b: 2, c: 3 }, ['c', 'a']))).toEqual([
    ['c', 3],
    ['a', 1],
  ])
})
