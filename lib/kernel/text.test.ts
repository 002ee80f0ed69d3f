import { expect, test } from 'vitest'
import { isStorableText } from './text.ts'

test.each(['', 'Zażółć gęślą jaźń', '漢字 😀', 'a\u007fb', 'שלום'])('%j is stored as it is', (text) => {
  expect(isStorableText(text)).toBe(true)
  expect(isStorableText(text, { multiline: true })).toBe(true)
})

test.each(['a\u0000b', '\ud83d', 'x\ude00', '\ude00\ud83d', 'a\u0001', '\u001b[31m', '\u000b', '\u001f'])(
  '%j is not',
  (text) => {
    expect(isStorableText(text)).toBe(false)
    expect(isStorableText(text, { multiline: true })).toBe(false)
  },
)

test.each(['a\tb', 'a\nb', 'a\r\nb'])('%j only where several lines are', (text) => {
  expect(isStorableText(text)).toBe(false)
  expect(isStorableText(text, { multiline: true })).toBe(true)
})
