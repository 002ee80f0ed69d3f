import { readFileSync } from 'node:fs'
import * as hb from 'harfbuzzjs'

export interface ShapedGlyph {
  readonly id: number
  readonly codePoints: readonly number[]
  readonly xAdvance: number
  readonly yAdvance: number
  readonly xOffset: number
  readonly yOffset: number
}

const opened = new Map<string, hb.Font>()

export function shapedGlyphs(file: string, text: string): ShapedGlyph[] {
  const buffer = new hb.Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  hb.shape(openedFont(file), buffer)
  const positions = buffer.getGlyphPositions()
  const infos = buffer.getGlyphInfos()
  const copied = copiedWith(infos, text)
  return infos.map(({ codepoint: id }, at) => {
    const { xAdvance = 0, yAdvance = 0, xOffset = 0, yOffset = 0 } = positions[at] ?? {}
    return { id, codePoints: copied[at] ?? [], xAdvance, yAdvance, xOffset, yOffset }
  })
}

function openedFont(file: string): hb.Font {
  const font = opened.get(file) ?? new hb.Font(new hb.Face(new hb.Blob(new Uint8Array(readFileSync(file)))))
  opened.set(file, font)
  return font
}

/**
 * Returns for each glyph the characters that a reader gets by copying the glyph from the document. The glyphs of a
 * syllable share a cluster, which is the position in the text at which the syllable starts. In reading order, each
 * glyph gets one character. The last glyph of a syllable gets all remaining characters of the syllable.
 */
function copiedWith(infos: readonly { readonly cluster: number }[], text: string): number[][] {
  return rightToLeft.test(text) ? inOrder(infos.toReversed(), text).reverse() : inOrder(infos, text)
}

const rightToLeft = /\p{Script=Thaana}/u

function inOrder(infos: readonly { readonly cluster: number }[], text: string): number[][] {
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].sort((a, b) => a - b)
  const left = new Map(
    starts.map((start, at) => {
      const syllable = text.slice(start, starts[at + 1])
      const glyphs = infos.filter(({ cluster }) => cluster === start).length
      const parts = [...syllable].length < glyphs ? syllable.normalize('NFD') : syllable
      return [start, Array.from(parts, (each) => each.codePointAt(0) ?? 0)]
    }),
  )
  return infos.map(({ cluster }, at) => {
    const isLast = infos[at + 1]?.cluster !== cluster
    const codePoints = left.get(cluster) ?? []
    return codePoints.splice(0, isLast ? codePoints.length : 1)
  })
}
