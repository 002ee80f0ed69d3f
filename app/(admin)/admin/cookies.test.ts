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
])('a parameter of %j is %j', (given, read) => {
  expect(first(given)).toBe(read)
})

test('a list has no filter that cannot be looked for', async () => {
  expect(await listParameters(Promise.resolve({ email: '\u0000', status: 'paid' }))).toEqual({
    email: null,
    status: 'paid',
  })
})
