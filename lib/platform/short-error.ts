/** The beginning of an error's text, which is what is stored. */
export const shortError = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error').slice(0, 500)

/** The same with what caused it: what `fetch` throws says only that it failed. */
export function shortErrorWithCause(error: unknown): string {
  const cause = error instanceof Error ? rootOf(error.cause) : null
  return (cause === null ? shortError(error) : `${shortError(error)} (${cause})`).slice(0, 500)
}

/** Of a name with several addresses the first one's. */
function rootOf(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null
  const [first] = cause instanceof AggregateError ? cause.errors : []
  if (first instanceof Error) return rootOf(first)
  return rootOf(cause.cause) ?? cause.message
}
