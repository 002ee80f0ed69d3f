export const shortError = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error').slice(0, 500)

/** Includes the cause, because the message of an error from `fetch` is only "fetch failed". */
export function shortErrorWithCause(error: unknown): string {
  const cause = error instanceof Error ? rootOf(error.cause) : null
  return (cause === null ? shortError(error) : `${shortError(error)} (${cause})`).slice(0, 500)
}

/** The message of the innermost cause. For a host name with several addresses, the error of the first address. */
function rootOf(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null
  const [first] = cause instanceof AggregateError ? cause.errors : []
  if (first instanceof Error) return rootOf(first)
  return rootOf(cause.cause) ?? cause.message
}
