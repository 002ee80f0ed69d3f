export interface Face {
  readonly name: string
  /** The first call reads the font file. To avoid reading an unneeded file, callers call `has` only for characters in the font's range. */
  has(codePoint: number): boolean
  readonly joins?: boolean
}

export interface Cluster {
  readonly text: string
  readonly face: string
}

export const replaceMissingGlyphs = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/(?!\n)\p{Cc}|(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/gu, '')

/**
 * Gives each character the first font that has all parts of the character. If no font has all parts, U+FFFD replaces
 * the marks, or the whole character if no font has its letter. PDF/A forbids characters whose font is not embedded.
 */
export function clustersOf(line: string, faces: readonly Face[]): Cluster[] {
  const [first] = faces
  if (!first) throw new Error('no font was given')
  if (plain.test(line) && faceOf(line, [first])) return Array.from(line, (text) => ({ text, face: first.name }))
  let before = first
  return Array.from(segments.segment(line), ({ segment }) => segment).flatMap((text) => {
    const visible = text.replace(invisible, '')
    if (visible === '') return []
    // Blanks use the previous word's font if possible. Another font would split right-to-left words into runs that are
    // written from left to right, in the wrong order for copying.
    const face = faceOf(visible, blank.test(visible) ? [before, ...faces] : faces)
    before = face ?? first
    if (face) return [{ text: face.joins ? text : visible, face: face.name }]
    const [letter = '', ...marks] = visible
    const ofLetter = faceOf(letter, faces)
    const missing = { text: '\ufffd', face: first.name }
    return ofLetter && marks.length > 0 ? [{ text: letter, face: ofLetter.name }, missing] : [missing]
  })
}

/** Characters that never combine need no segmentation, which is slow. */
const plain = /^[ -~\u00a0-\u017f\u2010-\u2027\u202f\u20ac]*$/
const blank = /^\s+$/
const segments = new Intl.Segmenter('en', { granularity: 'grapheme' })
const invisible = /\u200c|\u200d|[\u{e0020}-\u{e007f}]|\p{Variation_Selector}/gu

const faceOf = (text: string, faces: readonly Face[]): Face | undefined => {
  const codePoints = Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
  return faces.find((face) => codePoints.every((codePoint) => face.has(codePoint)))
}
