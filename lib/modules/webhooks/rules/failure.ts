/** The failures of an attempt for which the page of a delivery gives advice. */
export type FailureKind = 'timeout' | 'unreachable' | 'dns' | 'certificate' | 'redirect' | 'gone' | 'refused' | 'broken'

/** The beginnings of the errors of an attempt without a response (`lib/platform/outbound/outbound-http.ts`). */
const errors: readonly (readonly [string, FailureKind])[] = [
  ['No answer within', 'timeout'],
  ['The connection', 'unreachable'],
  ['The host name does not resolve.', 'dns'],
  ['The certificate', 'certificate'],
]

/** The kind of a failed attempt; null for a success, and for an error whose text already says what to do. */
export function failureKind({ status, error }: { status: number | null; error: string | null }): FailureKind | null {
  if (status === null) return errors.find(([beginning]) => error?.startsWith(beginning))?.[1] ?? null
  if (status >= 200 && status <= 299) return null
  if (status === 410) return 'gone'
  if (status >= 500) return 'broken'
  return status >= 400 ? 'refused' : 'redirect'
}
