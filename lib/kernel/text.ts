/**
 * Whether PostgreSQL stores a text unchanged. PostgreSQL refuses NUL, and the driver converts lone surrogates to
 * U+FFFD. Also returns false for other C0 control characters, except for tabs and line breaks with `multiline`.
 */
export function isStorableText(text: string, { multiline = false } = {}): boolean {
  return text.isWellFormed() && !(multiline ? controlButLineEnds : control).test(text)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
const control = /[\u0000-\u001f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
const controlButLineEnds = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/

/**
 * One line for an email header. Removes control characters, which could add a header, and characters that change the
 * writing direction, which could disguise a text. Line breaks and tabs become a space.
 */
export const plainLine = (text: string): string =>
  text
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim()

export const isBlank = (text: string): boolean => invisible.test(text)

// Unicode classifies the blank Braille pattern and the Hangul fillers as symbols and letters, but they are invisible.
const invisible = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u
