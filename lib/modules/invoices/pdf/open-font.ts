import { readFileSync } from 'node:fs'
import { create, type Font, type Glyph } from 'fontkit'
import { shapedGlyphs } from './shape.ts'

const opened = new Map<string, Font>()

/** Fonts are cached, because reading a font takes ten times as long as writing with it. */
export function openFont(file: string): Font {
  const known = opened.get(file)
  if (known) return known
  const font = create(readFileSync(file))
  keepTexts(font)
  opened.set(file, font)
  return font
}

/**
 * Caches glyphs separately for different characters. The cache of fontkit keeps the characters of the first text that
 * used a glyph, which can be wrong for later texts.
 */
function keepTexts(font: Font): void {
  const cache = font as unknown as { _glyphs: Record<number, Glyph> }
  const original = font.getGlyph.bind(font)
  const glyphs = new Map<string, Glyph>()
  font.getGlyph = (id, codePoints = []) => {
    const key = `${id} ${codePoints}`
    const known = glyphs.get(key)
    if (known) return known
    delete cache._glyphs[id]
    const glyph = original(id, codePoints)
    glyphs.set(key, glyph)
    return glyph
  }
}

export interface EmbeddedFont {
  readonly font: Font
  readonly ascender: number
  readonly scale: number
  readonly subset: { readonly glyphs: number[]; includeGlyph(id: number): number }
  readonly widths: (number | undefined)[]
  readonly unicode: (readonly number[] | undefined)[]
  layout(text: string, features?: unknown): { glyphs: Glyph[]; positions: unknown[]; advanceWidth: number }
  encode(text: string, features?: unknown): [codes: string[], positions: unknown[]]
  layoutRun(text: string, features?: unknown): Layout
  layoutCached(text: string): Layout
}

type Layout = ReturnType<EmbeddedFont['layout']>

const layouts = new WeakMap<Font, Map<string, Layout>>()
/**
 * The maximum number of cached words per font. These words need a few megabytes. The cache helps, because the words of our own texts occur in every document.
 */
const mostLayouts = 10_000

/** Caches the layout of each word across documents. HarfBuzz shapes the words if `shapedFrom` names the font's file. */
export function prepare(embedded: EmbeddedFont, shapedFrom: string | null): EmbeddedFont {
  if (shapedFrom !== null) shapeWell(embedded, shapedFrom)
  shareLayouts(embedded)
  embedByText(embedded)
  return embedded
}

/**
 * Replaces the shaping of fontkit, which fails for some scripts (foliojs/fontkit, issue 367) and does not reorder the
 * letters of other scripts.
 */
function shapeWell(embedded: EmbeddedFont, file: string): void {
  const { font, scale } = embedded
  embedded.layoutRun = (text) => {
    const shaped = shapedGlyphs(file, text)
    const glyphs = shaped.map(({ id, codePoints }) => font.getGlyph(id, codePoints))
    const positions = shaped.map(({ xAdvance, yAdvance, xOffset, yOffset }, at) => ({
      xAdvance: xAdvance * scale,
      yAdvance: yAdvance * scale,
      xOffset: xOffset * scale,
      yOffset: yOffset * scale,
      advanceWidth: (glyphs[at]?.advanceWidth ?? 0) * scale,
    }))
    return { glyphs, positions, advanceWidth: positions.reduce((sum, each) => sum + each.xAdvance, 0) }
  }
}

function shareLayouts(embedded: EmbeddedFont): void {
  const known = layouts.get(embedded.font) ?? new Map<string, Layout>()
  layouts.set(embedded.font, known)
  embedded.layoutCached = (text) => {
    const kept = known.get(text)
    if (kept) return kept
    const made = embedded.layoutRun(text)
    if (known.size >= mostLayouts) known.clear()
    known.set(text, made)
    return made
  }
}

function embedByText(embedded: EmbeddedFont): void {
  const { subset, widths, unicode, scale } = embedded
  const places = new Map<string, number>()
  function placeOf({ id, codePoints, advanceWidth }: Glyph): number {
    const key = `${id} ${codePoints}`
    const known = places.get(key)
    if (known !== undefined) return known
    const included = subset.includeGlyph(id)
    const place = unicode[included] === undefined ? included : subset.glyphs.push(id) - 1
    widths[place] = advanceWidth * scale
    unicode[place] = codePoints
    places.set(key, place)
    return place
  }
  embedded.encode = (text, features) => {
    const { glyphs, positions } = embedded.layout(text, features)
    return [glyphs.map((glyph) => placeOf(glyph).toString(16).padStart(4, '0')), positions]
  }
}
