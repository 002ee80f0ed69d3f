/** A trigram index cannot find a text of fewer than three characters. */
const shortestPart = 3

/** The LIKE pattern for a part of a lower-case text; null if the part is too short. */
export const likePart = (part: string): string | null =>
  Array.from(part).length < shortestPart ? null : `%${escaped(part.toLowerCase())}%`

/** Returns a text that, in the order of code points, comes after all texts that begin with `prefix`. */
export const afterPrefix = (prefix: string): string => `${prefix}\u{10ffff}`

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
