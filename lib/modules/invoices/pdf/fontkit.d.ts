declare module 'fontkit' {
  interface Glyph {
    readonly id: number
    readonly advanceWidth: number
    /** The characters that it represents; empty for a part that represents none on its own. */
    readonly codePoints: readonly number[]
  }
  interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean
    getGlyph(id: number, codePoints?: readonly number[]): Glyph
  }
  export function create(file: Uint8Array): Font
}
