export type FailureKind = 'timeout' | 'unreachable' | 'dns' | 'certificate' | 'redirect' | 'gone' | 'refused' | 'broken'

/** The first words of errors in `lib/platform/outbound/outbound-http.ts`. */
const errors: readonly (readonly [string, FailureKind])[] = [
  ['No answer within', 'timeout'],
  ['The connection', 'unreachable'],
  ['The host name does not resolve.', 'dns'],
  ['The certificate', 'certificate'],
]

/** Returns null for a successful attempt, and for an error whose text states the remedy. */
export function failureKind({ status, error }: { status: number | null; error: string | null }): FailureKind | null {
  if (status === null) return errors.find(([beginning]) => error?.startsWith(beginning))?.[1] ?? null
  if (status >= 200 && status <= 299) return null
  if (status === 410) return 'gone'
  if (status >= 500) return 'broken'
  return status >= 400 ? 'refused' : 'redirect'
}
