import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBlank, isStorableText, plainLine } from './text.ts'

test.each(['', 'Zażółć gęślą jaźń', '漢字 😀', 'a\u007fb', 'שלום'])('the text %j can be stored unchanged', (text) => {
  expect(isStorableText(text)).toBe(true)
  expect(isStorableText(text, { multiline: true })).toBe(true)
})

test.each(['a\u0000b', '\ud83d', 'x\ude00', '\ude00\ud83d', 'a\u0001', '\u001b[31m', '\u000b', '\u001f'])(
  'the text %j cannot be stored',
  (text) => {
    expect(isStorableText(text)).toBe(false)
    expect(isStorableText(text, { multiline: true })).toBe(false)
  },
)

test.each(['a\tb', 'a\nb', 'a\r\nb'])('the text %j can be stored only with the option multiline', (text) => {
  expect(isStorableText(text)).toBe(false)
  expect(isStorableText(text, { multiline: true })).toBe(true)
})

describe('email subjects', () => {
  test.each([
    ['Pro', 'Pro'],
    ['Zażółć 漢字 😀 שלום 👩\u200d💻', 'Zażółć 漢字 😀 שלום 👩\u200d💻'],
    ['Pro\r\nBcc: evil@example.com', 'Pro Bcc: evil@example.com'],
    ['a\tb\u000bc\u000cd\u0085e\u2028f\u2029g', 'a b c d e f g'],
    ['a\u0000b\u001bc\u007fd\u0080e\u009ff', 'abcdef'],
    ['inv\u202efdp.exe', 'invfdp.exe'],
    ['\u061ca\u200eb\u200fc\u202ad\u202be\u202cf\u202dg\u202eh\u2066i\u2067j\u2068k\u2069', 'abcdefghijk'],
    ['\n Pro \n', 'Pro'],
    ['\u202e\u0007', ''],
  ])('plainLine() converts %j to %j', (text, expected) => {
    expect(plainLine(text)).toBe(expected)
  })

  test('plainLine() removes only control, line-break, and direction characters', () => {
    const taken = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = plainLine(text)
        expect(plain).not.toMatch(taken)
        expect(plainLine(plain)).toBe(plain)
        if (!taken.test(text)) expect(plain).toBe(text.trim())
      }),
    )
  })
})

test.each([
  ['without characters', ''],
  ['of spaces', '   '],
  ['of line breaks and tabs', ' \n\t\r\n'],
  ['of Unicode spaces', '\u00a0\u1680\u2000\u200a\u202f\u205f\u3000'],
  ['of zero-width characters', '\u200b\u200c\u200d\u2060\ufeff'],
  ['of soft hyphens', '\u00ad\u00ad'],
  ['of control characters', '\u007f\u0085\u009f'],
  ['of direction marks', '\u200e\u200f\u202a\u202e\u2066\u2069'],
  ['of line and paragraph separators', '\u2028\u2029'],
  ['of filler characters', '\u115f\u1160\u3164\uffa0\u2800'],
  ['of variation selectors and tags', '\ufe0f\u{e0100}\u{e0020}'],
])('a text %s counts as blank', (_, text) => {
  expect(isBlank(text)).toBe(true)
  expect(isBlank(`${text}a${text}`)).toBe(false)
})

test.each(['-', '.', '漢', '😀', 'א', 'é', '0'])('the text %j does not count as blank', (text) => {
  expect(isBlank(text)).toBe(false)
})
