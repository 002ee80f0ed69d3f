/** Every refusal: code, HTTP status, and sentence. The list is closed: any other error is a bug and becomes a 500. */
export const refusals = {
  malformed_json: { status: 400, message: 'The request body is not valid JSON.' },
  not_an_object: { status: 400, message: 'The request body must be a JSON object.' },
  unauthenticated: { status: 401, message: 'The API key is missing, malformed, unknown, expired or revoked.' },
  test_mode_only: {
    status: 403,
    message: 'This endpoint is available in test mode only: use a key that begins with test_.',
  },
  insufficient_scope: { status: 403, message: 'The scope of this API key does not include this operation.' },
  scope_beyond_role: {
    status: 403,
    message: 'This API key would have more rights than your role. Ask an owner to issue or replace it.',
  },
  storefront_suspended: {
    status: 403,
    message: 'This storefront is suspended: nothing new is sold or charged until the service lifts the suspension.',
  },
  not_found: { status: 404, message: 'No such resource in this storefront and mode.' },
  portal_not_eligible: { status: 404, message: 'This customer cannot use the customer portal yet.' },
  endpoint_not_found: {
    status: 404,
    message: 'There is no such endpoint. The OpenAPI document lists every endpoint; details.openapi is its address.',
  },
  method_not_allowed: { status: 405, message: 'This path does not take this method.' },
  idempotency_mismatch: {
    status: 409,
    message: 'This idempotency key was used with another request in the last 24 hours. Nothing was done.',
  },
  idempotency_in_progress: { status: 409, message: 'The first request with this idempotency key is still running.' },
  idempotency_answer_lost: {
    status: 409,
    message:
      'The first request with this idempotency key was answered, with the status in details, but its answer can no longer be read. Nothing was done now: look up what the first one did.',
  },
  update_under_review: {
    status: 409,
    message: 'The item is being reviewed and cannot be changed until the review ends.',
  },
  plan_in_use: {
    status: 409,
    message: 'The interval of a plan that was ever used by a subscription cannot be changed.',
  },
  body_too_large: { status: 413, message: 'The request body is larger than 1 MB (1,048,576 bytes).' },
  unsupported_media_type: {
    status: 415,
    message:
      'The request body must be sent as Content-Type: application/json, in UTF-8 and without a Content-Encoding.',
  },
  validation_failed: { status: 422, message: 'The request breaks a rule. See errors for the fields.' },
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
    message: 'Only a canceled subscription whose grace period still runs can be resumed.',
  },
  subscription_not_pausable: { status: 409, message: 'Only an active subscription can be paused.' },
  subscription_not_paused: { status: 409, message: 'The subscription is not paused.' },
  subscription_not_renewable: {
    status: 422,
    message: 'Only an active subscription with a scheduled next renewal can be renewed early.',
  },
  order_not_in_recovery: { status: 422, message: 'No payment of this order is being recovered.' },
  renewal_order: { status: 422, message: 'This order is not of a change: cancel the subscription instead.' },
  refund_not_cancelable: { status: 422, message: 'Only a refund that is still pending can be canceled.' },
  already_in_flight: {
    status: 409,
    message: 'A payment of this subscription or order has no outcome yet, or is in recovery.',
  },
  mandate_not_pending: { status: 409, message: 'The payment method is not waiting to be activated.' },
  too_many_charges: {
    status: 429,
    message: 'The subscription had too many immediate charges in the last hour. See Retry-After.',
  },
  clock_busy: { status: 409, message: 'The clock of this storefront is still being advanced.' },
  checkout_closed: { status: 409, message: 'The checkout is no longer open.' },
  payment_finished: { status: 409, message: 'The payment already has its outcome.' },
  product_not_reviewable: { status: 409, message: 'There is nothing to review on this item.' },
  key_revoked: { status: 409, message: 'The API key is already revoked or expired.' },
  illegal_move: { status: 409, message: 'The resource is in a state that does not allow this.' },
  rate_limited: {
    status: 429,
    message: 'Too many requests with this API key, or from this address without a valid one. See Retry-After.',
  },
  internal: {
    status: 500,
    message:
      'Something went wrong on our side. It is not certain whether anything was changed: check, or repeat the request with its Idempotency-Key.',
  },
  unavailable: {
    status: 503,
    message:
      'The service cannot answer at the moment. Repeat the request, with its Idempotency-Key, after Retry-After.',
  },
} as const satisfies Record<string, { status: number; message: string }>

export type RefusalCode = keyof typeof refusals

export const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusals, code)

/** Sentences per field: dot paths with array indexes, as in `products.0.id`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

interface RefusalMore {
  retryAfterSeconds?: number | null
  details?: Readonly<Record<string, unknown>> | null
  /** A sentence with more than the code's own says, such as the value that is needed. */
  message?: string
}

/** A refusal is thrown, so that an open transaction always rolls back. */
export class Refusal extends Error {
  readonly retryAfterSeconds: number | null
  readonly details: Readonly<Record<string, unknown>> | null

  constructor(
    readonly code: RefusalCode,
    readonly on: FieldErrors = {},
    { retryAfterSeconds = null, details = null, message = refusals[code].message }: RefusalMore = {},
  ) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
    this.details = details
  }

  get status(): number {
    return refusals[this.code].status
  }
}

export const invalid = (field: string, ...sentences: string[]) =>
  new Refusal('validation_failed', { [field]: sentences })

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
