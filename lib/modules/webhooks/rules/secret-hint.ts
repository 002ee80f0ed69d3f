/** The shortest secret whose end can be shown without making it easy to guess. */
const shownFrom = 24
const shown = 4

/** The last characters of a secret, so that a person recognizes the secret. Null if the secret is short. */
export const secretHint = (secret: string): string | null =>
  [...secret].length < shownFrom ? null : [...secret].slice(-shown).join('')
