/** The beginning of an error's text, which is what is stored. */
export const shortError = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error').slice(0, 500)
