export interface Face {
  readonly name: string
  /** Called only for characters in the font's range, because the first call opens the font. */
  has(codePoint: number): boolean
  /** Other fonts leave out joiners and variation selectors. */
  readonly joins?: boolean
}

/** A user-perceived character, such as an emoji with its skin tone, and the font that shows it. */
export interface Cluster {
  readonly text: string
  readonly face: string
}

/** Normalizes line ends and composed characters, and removes control characters and direction marks. */
export const replaceMissingGlyphs = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/(?!\n)\p{Cc}|(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/gu, '')

/**
 * The characters of a normalized line, each with the first font that has all parts. A character without a font becomes
 * one U+FFFD: PDF/A forbids characters that are not in the file.
 */
export function clustersOf(line: string, faces: readonly Face[]): Cluster[] {
  const [first] = faces
  if (!first) throw new Error('a text needs a font')
  if (plain.test(line) && faceOf(line, [first])) return Array.from(line, (text) => ({ text, face: first.name }))
  let before = first
  return Array.from(segments.segment(line), ({ segment }) => segment).flatMap((text) => {
    const visible = text.replace(invisible, '')
    if (visible === '') return []
    // Blanks use the font of the word before, if possible: copied words then keep their order.
    const face = faceOf(visible, blank.test(visible) ? [before, ...faces] : faces)
    before = face ?? first
    if (face) return [{ text: face.joins ? text : visible, face: face.name }]
    // A mark that no font has does not hide its base character.
    const [letter = '', ...marks] = visible
    const ofLetter = faceOf(letter, faces)
    const missing = { text: '\ufffd', face: first.name }
    return ofLetter && marks.length > 0 ? [{ text: letter, face: ofLetter.name }, missing] : [missing]
  })
}

/** Characters that never join with another. Skipping the search for their bounds saves most of the time. */
const plain = /^[ -~\u00a0-\u017f\u2010-\u2027\u202f\u20ac]*$/
const blank = /^\s+$/
const segments = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Joiners, variation selectors and the tags of flags. */
const invisible = /\u200c|\u200d|[\u{e0020}-\u{e007f}]|\p{Variation_Selector}/gu

const faceOf = (text: string, faces: readonly Face[]): Face | undefined => {
  const codePoints = Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
  return faces.find((face) => codePoints.every((codePoint) => face.has(codePoint)))
}
