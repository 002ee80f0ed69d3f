/**
 * Whether PostgreSQL stores a text unchanged: it refuses NUL, and a lone surrogate would become U+FFFD. Other control
 * characters of C0 are refused too; a text of several lines may have tabs and line ends.
 */
export function isStorableText(text: string, { multiline = false } = {}): boolean {
  return text.isWellFormed() && !(multiline ? controlButLineEnds : control).test(text)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlButLineEnds = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/

/**
 * A subject or name for an email: on one line, without control characters and without characters that change the
 * direction of writing, with which a name could add a header or disguise its text. Line breaks and tabs become a space.
 */
export const plainLine = (text: string): string =>
  text
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim()

export const isBlank = (text: string): boolean => invisible.test(text)

// The blank Braille pattern and the Hangul fillers count as letters and symbols but show nothing.
const invisible = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u
