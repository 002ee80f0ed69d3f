/**
 * Whether PostgreSQL stores a text as it came: it refuses NUL, and a lone surrogate would silently become U+FFFD. The
 * other control characters of C0 are refused with NUL, as no name or address has one; a text of several lines may have
 * tabs and line ends.
 */
export function isStorableText(text: string, { multiline = false } = {}): boolean {
  return text.isWellFormed() && !(multiline ? controlButLineEnds : control).test(text)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlButLineEnds = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/

/**
 * A subject or name as it stands in a mail: on one line, without control characters and without those that turn the direction of
 * writing, with which a name could add a header or show other words than it has. What ends a line or jumps becomes a space.
 */
export const plainLine = (text: string): string =>
  text
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim()

/** Whether nothing of a text can be seen: spaces of all kinds, control characters, what has no width, fillers. */
export const isBlank = (text: string): boolean => invisible.test(text)

// The pattern of Braille without dots and the Hangul fillers are letters and signs that show nothing.
const invisible = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u
