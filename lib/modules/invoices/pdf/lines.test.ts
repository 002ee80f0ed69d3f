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

describe('a text', () => {
  it.each([
    ['ends its lines between words', 'one two three', 7, ['one two', 'three']],
    ['does not count the blanks at the end of a line', 'one two ', 7, ['one two']],
    ['cuts what is wider than a line', 'abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
    ['begins no line with the blanks after a word', 'abcdef gh', 3, ['abc', 'def', 'gh']],
    ['cuts no letter', '😀👩\u200d💻👍🏽😀', 2, ['😀👩\u200d💻', '👍🏽😀']],
    ['keeps its own lines, empty ones too', 'a\n\nb', 9, ['a', '', 'b']],
    ['has one letter in a line at least', 'abc', 0, ['a', 'b', 'c']],
    ['ends lines where its script does, without a blank', '漢字漢字', 2, ['\ufffd\ufffd', '\ufffd\ufffd']],
    ['of nothing has one line', '', 5, ['']],
  ])('%s', (_, text, width, expected) => {
    expect(texts(text, width)).toEqual(expected)
  })

  it('line breaking loses no character, and only a line of one character may be too wide', () => {
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

describe('text from right to left', () => {
  it('right-to-left text has its characters reversed when they are shaped', () => {
    expect(lines('אב גד')).toEqual([['אב גד']])
    expect(linesOf('אב', 9, fonts)[0]).toEqual([{ text: 'אב', face: 'arabic', isRightToLeft: true }])
  })

  it('digits and other scripts inside right-to-left text run from left to right', () => {
    expect(lines('אב 123 גד')).toEqual([['גד', ' ', '123', 'אב ']])
    expect(lines('Team אב גד plan')).toEqual([['Team ', 'אב גד', ' ', 'plan']])
  })

  it('right-to-left text has mirrored brackets and reversed signs', () => {
    expect(lines('אב (גד)')).toEqual([['(', 'גד', ')', 'אב ']])
    expect(lines('אב, !גד')).toEqual([['גד', '! ,', 'אב']])
  })

  it('right-to-left text is ordered line by line', () => {
    expect(lines('אב גד הו', 5)).toEqual([['אב גד'], ['הו']])
  })
})
