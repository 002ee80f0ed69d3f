/**
 * The minimum length of a secret whose last characters are shown, because they would make a shorter secret easier to
 * guess.
 */
const shownFrom = 24
const shown = 4

export const secretHint = (secret: string): string | null =>
  [...secret].length < shownFrom ? null : [...secret].slice(-shown).join('')
