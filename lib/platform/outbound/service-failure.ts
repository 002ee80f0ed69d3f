/** A request to an external service failed. The message is one clause without a period, and contains no text from the service. */
export class ServiceFailure extends Error {
  /** Whether the same request can succeed later without a change of the settings. */
  readonly isTemporary: boolean = true
}

/**
 * Why `fetch` got no response: the code of the system, such as `ECONNREFUSED`, or the name of the error, such as `TimeoutError`. The message of the error
 * is not used, because the message can contain a URL.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const [first] = error instanceof AggregateError ? error.errors : []
  const inner = first ?? error.cause
  if (inner instanceof Error) return reasonOf(inner)
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? code : error.name
}
