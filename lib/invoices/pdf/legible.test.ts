import { expect, it } from 'vitest'
import { legible } from './legible.ts'

const latin = { hasGlyphForCodePoint: (codePoint: number) => codePoint < 0x250 }

it.each([
  ['keeps what the font has, spaces that do not break among it', 'Łódź\u00a0ő ß', 'Łódź\u00a0ő ß'],
  ['puts letters of two parts together', 'Zoe\u0308', 'Zoë'],
  ['marks each letter that is missing, once', '中a😀b', '\ufffda\ufffdb'],
  ['leaves out what nobody sees', 'a\u200db\u202ec\u00add\ufe0f\u0007', 'abcd'],
  ['has one kind of line end', 'a\r\nb\rc\u2028d\te', 'a\nb\nc\nd e'],
])('%s', (_, text, shown) => {
  expect(legible(text, latin)).toBe(shown)
})
