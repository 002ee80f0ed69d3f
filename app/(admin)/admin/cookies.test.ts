import { expect, test } from 'vitest'
import { first, listParameters } from './cookies.ts'

test.each([
  ['a', 'a'],
  [['a', 'b'], 'a'],
  [undefined, null],
  [[], null],
  ['', ''],
  ['ends\tand\nbegins', 'ends\tand\nbegins'],
  ['a\u0000', null],
  [['\u0000', 'b'], null],
  ['\ud800', null],
])('a URL parameter with the value %j is read as %j', (given, read) => {
  expect(first(given)).toBe(read)
})

test('a list ignores a filter value that the database cannot store', async () => {
  expect(await listParameters(Promise.resolve({ email: '\u0000', status: 'paid' }))).toEqual({
    email: null,
    status: 'paid',
  })
})
