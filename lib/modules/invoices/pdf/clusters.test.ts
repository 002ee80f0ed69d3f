import { describe, expect, it } from 'vitest'
import { clustersOf, type Face, replaceMissingGlyphs } from './clusters.ts'

const upTo = (name: string, from: number, to: number, joins = false): Face => ({
  name,
  has: (codePoint) => codePoint >= from && codePoint <= to,
  joins,
})
const faces = [upTo('latin', 0, 0x24f), upTo('accents', 0x300, 0x30f), upTo('emoji', 0x1f000, 0x1ffff, true)]
const shown = (text: string) => clustersOf(text, faces).map((cluster) => `${cluster.face} ${cluster.text}`)

describe('a normalized text', () => {
  it.each([
    ['keeps spaces that do not break', 'Łódź\u00a0ő ß', 'Łódź\u00a0ő ß'],
    ['puts letters of two parts together', 'Zoe\u0308', 'Zoë'],
    ['leaves out marks of direction, soft hyphens and control characters', 'b\u202ec\u2067\u00add\u0007\u200e', 'bcd'],
    ['keeps what joins letters', 'a\u200db\u200cc\ufe0f', 'a\u200db\u200cc\ufe0f'],
    ['has one kind of line end', 'a\r\nb\rc\u2028d\te', 'a\nb\nc\nd e'],
  ])('%s', (_, text, expected) => {
    expect(replaceMissingGlyphs(text)).toBe(expected)
  })
})

describe('the characters of a text', () => {
  it('each character gets the first font that has all its parts', () => {
    expect(shown('aé😀')).toEqual(['latin a', 'latin é', 'emoji 😀'])
  })

  it('a composed emoji, an emoji with a skin tone, and a flag are not split', () => {
    expect(shown('👩\u200d💻')).toEqual(['emoji 👩\u200d💻'])
    expect(shown('👍🏽🇩🇪')).toEqual(['emoji 👍🏽', 'emoji 🇩🇪'])
    expect(shown('😀\ufe0f')).toEqual(['emoji 😀\ufe0f'])
  })

  it('characters lose their joiners if the font cannot join them', () => {
    expect(shown('a\ufe0fb\u200d')).toEqual(['latin a', 'latin b'])
    expect(shown('\u200d')).toEqual([])
  })

  it('each character that no font has is replaced by one mark', () => {
    expect(shown('中a中')).toEqual(['latin \ufffd', 'latin a', 'latin \ufffd'])
    expect(shown('\u{10ffff}')).toEqual(['latin \ufffd'])
  })

  it('a character stays if only its combining mark is missing', () => {
    expect(shown('x\u0488')).toEqual(['latin x', 'latin \ufffd'])
  })
})
