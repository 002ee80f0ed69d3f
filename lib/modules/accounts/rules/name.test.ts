import { expect, it } from 'vitest'
import { checkedName } from './name.ts'

it.each([
  ['Lumen', 'Lumen'],
  ['  Lumen Ö \n', 'Lumen Ö'],
  ['x'.repeat(255), 'x'.repeat(255)],
])('the merchant name %j is stored as %j', (typed, name) => {
  expect(checkedName(typed)).toBe(name)
})

it.each(['', '  ', '\u200b', 'x'.repeat(256), 'a\u0000b'])(
  'refuses the merchant name %j and names the field',
  (typed) => {
    expect(() => checkedName(typed, 'merchantName')).toThrow(
      expect.objectContaining({ code: 'validation_failed', on: { merchantName: [expect.any(String)] } }),
    )
  },
)
