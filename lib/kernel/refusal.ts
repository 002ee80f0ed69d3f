import type { RuleProblem } from './rule-problem.ts'

/** All error codes with their HTTP status and sentence. Any other error is a bug and gets status 500. */
export const refusals = {
  malformed_json: { status: 400, message: 'The request body is not valid JSON.' },
  not_an_object: { status: 400, message: 'The request body must be a JSON object.' },
  unauthenticated: { status: 401, message: 'The API key is missing, malformed, unknown, expired, or revoked.' },
  test_mode_only: {
    status: 403,
    message: 'This endpoint is available in test mode only. Use an API key that begins with test_.',
  },
  insufficient_scope: { status: 403, message: 'The scope of this API key does not include this operation.' },
  scope_beyond_role: {
    status: 403,
    message: 'This API key would have more rights than your role. Ask an owner to create or replace the key.',
  },
  storefront_suspended: {
    status: 403,
    message: 'This storefront is suspended. New sales and charges are refused until the operator lifts the suspension.',
  },
  not_found: { status: 404, message: 'The resource does not exist in this storefront and mode.' },
  portal_not_eligible: { status: 404, message: 'This customer cannot use the customer portal yet.' },
  endpoint_not_found: {
    status: 404,
    message: 'The endpoint does not exist. The OpenAPI document at details.openapi lists all endpoints.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support this method. The Allow header lists the supported methods.',
  },
  idempotency_mismatch: {
    status: 409,
    message:
      'This idempotency key was used with a different request in the last 24 hours. This request changed nothing.',
  },
  idempotency_in_progress: { status: 409, message: 'The first request with this idempotency key is still running.' },
  idempotency_answer_lost: {
    status: 409,
    message:
      'The first request with this idempotency key completed with the status in details, but its ' +
      'response can no longer be read. This request changed nothing. Look up the result of the first ' +
      'request.',
  },
  update_under_review: {
    status: 409,
    message: 'The item is under review and cannot be changed until the review ends.',
  },
  plan_in_use: {
    status: 409,
    message: 'The interval of this plan cannot be changed, because a subscription has used the plan.',
  },
  body_too_large: { status: 413, message: 'The request body is larger than 1 MB (1,048,576 bytes).' },
  unsupported_media_type: {
    status: 415,
    message:
      'The request body must have the Content-Type application/json, the charset UTF-8, and no Content-Encoding.',
  },
  validation_failed: { status: 422, message: 'The request violates a rule. See errors for the fields.' },
  subscription_not_changeable: {
    status: 422,
    message: 'Only a subscription that has started and has not ended can be changed.',
  },
  subscription_not_cancelable: {
    status: 422,
    message: 'Only a subscription that has started and has not ended can be canceled.',
  },
  subscription_not_resumable: {
    status: 422,
    message: 'Only a subscription in its grace period can be resumed.',
  },
  subscription_not_pausable: { status: 409, message: 'Only an active subscription can be paused.' },
  subscription_not_paused: { status: 409, message: 'The subscription is not paused.' },
  subscription_not_renewable: {
    status: 422,
    message: 'Only an active subscription with a scheduled next renewal can be renewed early.',
  },
  order_not_in_recovery: { status: 422, message: 'This order has no payment in recovery.' },
  renewal_order: {
    status: 422,
    message: 'This order does not belong to a change of a subscription. Cancel the subscription instead.',
  },
  refund_not_cancelable: { status: 422, message: 'Only a pending refund can be canceled.' },
  already_in_flight: {
    status: 409,
    message: 'A payment of this subscription or order is still in progress or in recovery.',
  },
  mandate_not_pending: { status: 409, message: 'The payment method is not pending.' },
  too_many_charges: {
    status: 429,
    message:
      'The subscription had too many immediate charges in the last hour. Retry-After states the seconds to wait.',
  },
  clock_busy: { status: 409, message: "An advance of this storefront's test clock is still running." },
  checkout_closed: { status: 409, message: 'The checkout is no longer open.' },
  payment_finished: { status: 409, message: 'The payment already has an outcome.' },
  product_not_reviewable: { status: 409, message: 'This item has no pending review.' },
  key_revoked: { status: 409, message: 'The API key is already revoked or expired.' },
  illegal_move: { status: 409, message: 'The current state of the resource does not allow this operation.' },
  rate_limited: {
    status: 429,
    message:
      'Too many requests with this API key, or without a valid API key from this address. Retry-After ' +
      'states the seconds to wait.',
  },
  internal: {
    status: 500,
    message:
      'The service failed, and the change may or may not have been made. Check the resource, or retry ' +
      'with the same Idempotency-Key.',
  },
  unavailable: {
    status: 503,
    message:
      'The service is temporarily unavailable. Retry with the same Idempotency-Key after the seconds ' +
      'in Retry-After.',
  },
} as const satisfies Record<string, { status: number; message: string }>

export type RefusalCode = keyof typeof refusals

export const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusals, code)

/** The problems by field. A field is a path with dots and array indexes, such as `products.0.id`. A problem that is a plain sentence has no translation. */
export type FieldErrors = Readonly<Record<string, readonly (string | RuleProblem)[]>>

/** Converts each problem to its English sentence in the API. */
export const sentencesOf = (problems: FieldErrors): Record<string, string[]> =>
  Object.fromEntries(Object.entries(problems).map(([field, all]) => [field, all.map(String)]))

interface RefusalMore {
  retryAfterSeconds?: number | null
  details?: Readonly<Record<string, unknown>> | null
  /** Replaces the default sentence of the error code. */
  message?: string
}

/** A refusal is thrown, so that an open transaction rolls back. */
export class Refusal extends Error {
  readonly retryAfterSeconds: number | null
  readonly details: Readonly<Record<string, unknown>> | null

  /** The English sentences by field. */
  readonly on: Readonly<Record<string, readonly string[]>>

  constructor(
    readonly code: RefusalCode,
    readonly problems: FieldErrors = {},
    { retryAfterSeconds = null, details = null, message = refusals[code].message }: RefusalMore = {},
  ) {
    super(message)
    this.on = sentencesOf(problems)
    this.retryAfterSeconds = retryAfterSeconds
    this.details = details
  }

  get status(): number {
    return refusals[this.code].status
  }
}

export const invalid = (field: string, ...problems: (string | RuleProblem)[]) =>
  new Refusal('validation_failed', { [field]: problems })

type FileReason =
  | 'file_unreadable'
  | 'file_exists'
  | 'file_damaged'
  | 'file_line_too_long'
  | 'file_of_other_version'
  | 'wrong_passphrase'
  | 'row_exists'
  | 'database_not_empty'
  | 'horizon_in_future'

export const refuse = (reason: FileReason, field: string, sentence: string) =>
  new Refusal('validation_failed', { [field]: [sentence] }, { details: { reason } })
