/** What is kept of an error: its beginning. */
export const shortError = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error').slice(0, 500)
