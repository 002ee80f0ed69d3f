export const shortError = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error').slice(0, 500)

/** A description for operators, without the name of the error. Includes the cause, because the message of an error from `fetch` is only "fetch failed". */
export function problemText(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const cause = rootOf(error.cause)
  return (cause === null ? error.message : `${error.message} (${cause})`).slice(0, 500)
}

/** The message of the innermost cause. For a host name with several addresses, the error of the first address. */
function rootOf(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null
  const [first] = cause instanceof AggregateError ? cause.errors : []
  if (first instanceof Error) return rootOf(first)
  return rootOf(cause.cause) ?? cause.message
}
