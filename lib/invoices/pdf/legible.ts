/** What a font has letters for. */
export interface Glyphs {
  hasGlyphForCodePoint(codePoint: number): boolean
}

/**
 * A text with U+FFFD where the font has no letter: PDF/A forbids to write one that is not there. What nobody sees (marks of
 * direction, joiners, soft hyphens) goes: it would be written as a space.
 */
export const legible = (text: string, glyphs: Glyphs): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu, '')
    .replace(/[^\n]/gu, (letter) => (has(glyphs, letter) ? letter : '\ufffd'))

/** Lines may be cut between any two UTF-16 units of a long word: letters of two such units are not risked. */
const has = (glyphs: Glyphs, letter: string) => letter.length === 1 && glyphs.hasGlyphForCodePoint(letter.charCodeAt(0))
