/** The shortest part that is searched. A trigram index cannot find shorter parts. */
const shortestPart = 3

/** The LIKE pattern that finds a part in a lower-case text; null if the part is too short. */
export const likePart = (part: string): string | null =>
  Array.from(part).length < shortestPart ? null : `%${escaped(part.toLowerCase())}%`

/** The exclusive upper bound of the texts that begin with a prefix, in the order of code points. */
export const afterPrefix = (prefix: string): string => `${prefix}\u{10ffff}`

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
