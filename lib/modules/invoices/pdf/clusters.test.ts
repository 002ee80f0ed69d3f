import { describe, expect, it } from 'vitest'
import { clustersOf, type Face, replaceMissingGlyphs } from './clusters.ts'

const upTo = (name: string, from: number, to: number, joins = false): Face => ({
  name,
  has: (codePoint) => codePoint >= from && codePoint <= to,
  joins,
})
const faces = [upTo('latin', 0, 0x24f), upTo('accents', 0x300, 0x30f), upTo('emoji', 0x1f000, 0x1ffff, true)]
const shown = (text: string) => clustersOf(text, faces).map((cluster) => `${cluster.face} ${cluster.text}`)

describe('normalization', () => {
  it.each([
    ['keeps non-breaking spaces', 'Łódź\u00a0ő ß', 'Łódź\u00a0ő ß'],
    ['composes a letter and its combining mark', 'Zoe\u0308', 'Zoë'],
    ['removes direction marks, soft hyphens and control characters', 'b\u202ec\u2067\u00add\u0007\u200e', 'bcd'],
    ['keeps joiners and variation selectors between letters', 'a\u200db\u200cc\ufe0f', 'a\u200db\u200cc\ufe0f'],
    ['converts all line ends to one kind, and tabs to spaces', 'a\r\nb\rc\u2028d\te', 'a\nb\nc\nd e'],
  ])('the normalization of a text %s', (_, text, expected) => {
    expect(replaceMissingGlyphs(text)).toBe(expected)
  })
})

describe('characters', () => {
  it('each character is drawn with the first font that has all parts of the character', () => {
    expect(shown('aé😀')).toEqual(['latin a', 'latin é', 'emoji 😀'])
  })

  it('a composed emoji, an emoji with a skin tone, and a flag are not split', () => {
    expect(shown('👩\u200d💻')).toEqual(['emoji 👩\u200d💻'])
    expect(shown('👍🏽🇩🇪')).toEqual(['emoji 👍🏽', 'emoji 🇩🇪'])
    expect(shown('😀\ufe0f')).toEqual(['emoji 😀\ufe0f'])
  })

  it('a character loses its joiners if its font cannot join characters', () => {
    expect(shown('a\ufe0fb\u200d')).toEqual(['latin a', 'latin b'])
    expect(shown('\u200d')).toEqual([])
  })

  it('a character without a font becomes one replacement character', () => {
    expect(shown('中a中')).toEqual(['latin \ufffd', 'latin a', 'latin \ufffd'])
    expect(shown('\u{10ffff}')).toEqual(['latin \ufffd'])
  })

  it('a character is drawn even if no font has its combining mark', () => {
    expect(shown('x\u0488')).toEqual(['latin x', 'latin \ufffd'])
  })
})
