declare module 'fontkit' {
  interface Glyph {
    readonly id: number
    readonly advanceWidth: number
    /** `codePoints` is empty for a glyph that is only a part of a character. */
    readonly codePoints: readonly number[]
  }
  interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean
    getGlyph(id: number, codePoints?: readonly number[]): Glyph
  }
  export function create(file: Uint8Array): Font
}
