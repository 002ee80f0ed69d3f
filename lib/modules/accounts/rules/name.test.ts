import { expect, it } from 'vitest'
import { checkedKeyName, checkedName } from './name.ts'

it.each([
  ['Lumen', 'Lumen'],
  ['  Lumen Ö \n', 'Lumen Ö'],
  ['x'.repeat(255), 'x'.repeat(255)],
])('the merchant name %j is stored as %j', (typed, name) => {
  expect(checkedName(typed)).toBe(name)
})

it.each(['', '  ', '\u200b', 'x'.repeat(256), 'a\u0000b'])(
  'the merchant name %j is refused with an error on the field that the caller names',
  (typed) => {
    expect(() => checkedName(typed, 'merchantName')).toThrow(
      expect.objectContaining({ code: 'validation_failed', on: { merchantName: [expect.any(String)] } }),
    )
  },
)

it.each([
  ['', null],
  ['  ', null],
  [' Shop backend ', 'Shop backend'],
  ['x'.repeat(60), 'x'.repeat(60)],
])('the API key name %j is stored as %j', (typed, name) => {
  expect(checkedKeyName(typed)).toBe(name)
})

it.each(['\u200b', 'x'.repeat(61), 'a\u0000b', 'a\nb'])('the API key name %j is refused', (typed) => {
  expect(() => checkedKeyName(typed)).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      on: { name: ['Must have 1 to 60 characters, at least one of them visible.'] },
    }),
  )
})
