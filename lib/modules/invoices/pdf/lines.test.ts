import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Face } from './clusters.ts'
import { linesOf, type Run } from './lines.ts'

const arabic: Face = {
  name: 'arabic',
  has: (codePoint) => codePoint === 0x20 || (codePoint >= 0x590 && codePoint < 0x700),
  joins: true,
}
const latin: Face = { name: 'latin', has: (codePoint) => codePoint < 0x250 || codePoint === 0xfffd }
const emoji: Face = { name: 'emoji', has: (codePoint) => codePoint >= 0x1f000, joins: true }
const fonts = {
  faces: [latin, arabic, emoji],
  widthOf: ({ text }: Run) => [...new Intl.Segmenter().segment(text)].length,
}
const lines = (text: string, width = Infinity) => linesOf(text, width, fonts).map((runs) => runs.map((run) => run.text))
const texts = (text: string, width?: number) => lines(text, width).map((runs) => runs.join(''))

describe('line breaking', () => {
  it.each([
    ['ends lines between words', 'one two three', 7, ['one two', 'three']],
    ['ignores blanks at the end of a line', 'one two ', 7, ['one two']],
    ['splits a word that is wider than a line', 'abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
    ['starts no line with the blanks after a word', 'abcdef gh', 3, ['abc', 'def', 'gh']],
    ['never splits a character', '😀👩\u200d💻👍🏽😀', 2, ['😀👩\u200d💻', '👍🏽😀']],
    ['keeps explicit line ends and empty lines', 'a\n\nb', 9, ['a', '', 'b']],
    ['puts at least one character on each line', 'abc', 0, ['a', 'b', 'c']],
    ['ends lines between characters of a script without blanks', '漢字漢字', 2, ['\ufffd\ufffd', '\ufffd\ufffd']],
    ['returns one line for an empty text', '', 5, ['']],
  ])('line breaking %s', (_, text, width, expected) => {
    expect(texts(text, width)).toEqual(expected)
  })

  it('line breaking keeps each character, and no line is wider than the limit', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'א', '1', '😀', '(', '\n'), maxLength: 40 })
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 12 }), (text, width) => {
        const shown = linesOf(text, width, fonts)
        const sorted = (value: string) => [...value.replaceAll(/\s|[()]/g, '')].sort().join('')
        expect(
          sorted(
            shown
              .flat()
              .map((run) => run.text)
              .join(''),
          ),
        ).toBe(sorted(text))
        for (const line of shown)
          expect(line.reduce((sum, run) => sum + fonts.widthOf(run), 0)).toBeLessThanOrEqual(width)
      }),
    )
  })
})

describe('right-to-left text', () => {
  it('the characters of a right-to-left run stay in reading order, because the font shapes them in this order', () => {
    expect(lines('אב גד')).toEqual([['אב גד']])
    expect(linesOf('אב', 9, fonts)[0]).toEqual([{ text: 'אב', face: 'arabic', isRightToLeft: true }])
  })

  it('digits and other scripts inside right-to-left text run from left to right', () => {
    expect(lines('אב 123 גד')).toEqual([['גד', ' ', '123', 'אב ']])
    expect(lines('Team אב גד plan')).toEqual([['Team ', 'אב גד', ' ', 'plan']])
  })

  it('brackets in right-to-left text are mirrored, and punctuation is reversed', () => {
    expect(lines('אב (גד)')).toEqual([['(', 'גד', ')', 'אב ']])
    expect(lines('אב, !גד')).toEqual([['גד', '! ,', 'אב']])
  })

  it('each line of right-to-left text is ordered separately', () => {
    expect(lines('אב גד הו', 5)).toEqual([['אב גד'], ['הו']])
  })
})
