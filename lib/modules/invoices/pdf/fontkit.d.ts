declare module 'fontkit' {
  interface Glyph {
    readonly id: number
    readonly advanceWidth: number
    /** The letters that it stands for; none of a part that stands for nothing by itself. */
    readonly codePoints: readonly number[]
  }
  interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean
    getGlyph(id: number, codePoints?: readonly number[]): Glyph
  }
  export function create(file: Uint8Array): Font
}
