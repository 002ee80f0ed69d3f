import { setTimeout as wait } from 'node:timers/promises'
import Stripe from 'stripe'
import { ProviderUnavailable } from '../../modules/payments/provider-unavailable.ts'
import type { AccountSettings } from '../../platform/config-providers.ts'
import { Connection } from '../../platform/outbound/connection.ts'
import { readText } from '../../platform/outbound/read-text.ts'
import { serviceProblems } from '../../platform/outbound/service-problems.ts'
import { WorkQueue } from '../../platform/work-queue.ts'
import type { Account } from '../account.ts'
import { AccountProblem } from '../live-payments/account-problems.ts'

/** The outcome is unknown, or Stripe cannot be reached. The caller retries later. */
export class StripeAway extends ProviderUnavailable {
  override readonly name = 'StripeAway'

  constructor(
    message: string,
    /** Whether Stripe saved this failure. If so, requests with the same idempotency key fail for 24 hours. */
    readonly isSaved = false,
  ) {
    super(message)
  }
}

/** Stripe refused permanently. The message contains no text from Stripe, which could repeat the buyer's input. */
export class StripeRefused extends Error {
  override readonly name = 'StripeRefused'
  readonly status: number
  /** `code` is a code of Stripe, such as 'card_declined'. `declineCode` and `adviceCode` are codes of the bank. */
  readonly code: string | null
  readonly declineCode: string | null
  readonly adviceCode: string | null
  readonly param: string | null
  readonly intentId: string | null

  constructor({ statusCode, code, decline_code, advice_code, param, payment_intent }: Stripe.errors.StripeError) {
    super(`Stripe answered ${statusCode}, because of ${decline_code ?? code ?? 'the request'}`)
    this.status = statusCode ?? 0
    this.code = code ?? null
    this.declineCode = decline_code ?? null
    this.adviceCode = advice_code ?? null
    this.param = param ?? null
    this.intentId = payment_intent?.id ?? null
  }
}

/** Timeouts of requests in milliseconds. The timeout for pages is short, because a buyer waits. The timeout for jobs is the default of Stripe's client. */
const timeoutsMs = { page: 10_000, background: 80_000 } as const
type Waiting = keyof typeof timeoutsMs
/** Milliseconds before each retry after a 409 response, which means that Stripe is still processing the same request. */
const conflictWaitsMs = [250, 500, 1000]
const mostBytes = 4_000_000

/** Each account has its own connection, because Stripe can refuse one account while it accepts another account. */
const connections = new Map<string, Connection>()

function connectionOf({ name }: Account): Connection {
  const connection = connections.get(name) ?? new Connection({ kind: 'payments', account: name })
  connections.set(name, connection)
  return connection
}

const queueOfRequests = () => new WorkQueue({ atOnce: 16, most: 5_000, mostOfOne: 5_000, retryAfterSeconds: 5 })
/** Pages and jobs have separate queues, so that a page does not wait for slow charges of jobs. */
const queues: Readonly<Record<Waiting, WorkQueue>> = { page: queueOfRequests(), background: queueOfRequests() }

/** The problem of the account as seen by this process, or `ok`. */
export const connectionState = ({ name: account }: Account): string =>
  serviceProblems().seenHere({ kind: 'payments', account })

export const resetConnection = (): void => connections.clear()

export interface Opened {
  readonly name: string
  readonly ask: Ask
}

export type Ask = <Answer>(request: (stripe: Stripe) => Promise<Answer>) => Promise<Answer>

/**
 * Returns a function that sends requests to Stripe. It throws `StripeRefused` after a permanent refusal,
 * `AccountProblem` if a permission is missing, or else `StripeAway`.
 */
export const askerOf =
  (account: Account, waiting: Waiting = 'background'): Ask =>
  <Answer>(request: (stripe: Stripe) => Promise<Answer>): Promise<Answer> =>
    queues[waiting].run(account.name, async () => {
      const stripe = clientOf(account.name, await account.settings(), waiting)
      return answered(stripe, connectionOf(account), request)
    })

async function answered<Answer>(
  stripe: Stripe,
  connection: Connection,
  request: (stripe: Stripe) => Promise<Answer>,
): Promise<Answer> {
  const paused = connection.pause(new Date())
  if (paused > 0) throw new StripeAway(`Stripe is not asked for another ${paused} ms`)
  for (const waitMs of [...conflictWaitsMs, null]) {
    const { answer, error } = await request(stripe).then(
      (answer) => ({ answer, error: null }),
      (error) => ({ answer: null, error }),
    )
    if (error?.statusCode === 409 && waitMs !== null) {
      await wait(waitMs)
      continue
    }
    if (error) throw failureOf(error, connection)
    connection.answered()
    return answer as Answer
  }
  throw new StripeAway('Stripe is still processing the same request')
}

function failureOf(error: unknown, connection: Connection): Error {
  const { StripeError, StripeCardError, StripeIdempotencyError, StripeInvalidRequestError } = Stripe.errors
  if (!(error instanceof StripeError)) return error as Error
  const { statusCode: status, headers } = error
  const isRefused = error instanceof StripeCardError || error instanceof StripeInvalidRequestError
  const isAnswer = isRefused || status === 403 || status === 409 || error instanceof StripeIdempotencyError
  if (isAnswer) connection.answered()
  if (status === 403) return forbidden(error.message)
  if (isRefused) return new StripeRefused(error)
  if (status === 409) return new StripeAway('Stripe is still processing the same request')
  if (error instanceof StripeIdempotencyError) return new StripeAway('Stripe knows another request with this key')
  const problem = status === 401 ? 'refuses the API key' : status ? `answers ${status}` : 'does not answer'
  connection.failed(new Date(), problem, status === 429 ? retryAfterMs(headers) : null)
  const isSaved = status !== undefined && status >= 500 && headers?.['idempotent-replayed'] === 'true'
  return new StripeAway(`Stripe ${problem}`, isSaved)
}

/** Stripe names the missing permission of a restricted key in its message, such as `rak_payment_method_write`. */
function forbidden(message: string): AccountProblem {
  const permission = /\brak_[a-z_]{1,60}\b/.exec(message)?.[0] ?? null
  return new AccountProblem(
    permission ?? 'forbidden',
    `the API key lacks ${permission === null ? 'a permission' : `the permission ${permission}`}`,
  )
}

function retryAfterMs(headers: Record<string, string> | undefined): number {
  const seconds = Number(headers?.['retry-after'] ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 1000
}

const made = new Map<string, { readonly key: string; readonly stripe: Stripe }>()

function clientOf(account: string, { apiKey, base }: AccountSettings, waiting: Waiting): Stripe {
  const place = `${account} ${waiting}`
  const key = `${apiKey} ${base}`
  const known = made.get(place)
  if (known?.key === key) return known.stripe
  const stripe = new Stripe(apiKey, {
    // The client does not retry, because the caller searches for the result of the failed request before it retries.
    maxNetworkRetries: 0,
    timeout: timeoutsMs[waiting],
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchBelow(base)),
  })
  made.set(place, { key, stripe })
  return stripe
}

const filesHost = 'files.stripe.com'

/** `fetch` with a size limit for responses. Refuses redirects, because another host must not receive the API key. */
const fetchBelow =
  (base: string): typeof fetch =>
  async (address, options) => {
    const { hostname, pathname, search } = new URL(String(address))
    const api = base.replace(/\/v1$/, '')
    const host = api === 'https://api.stripe.com' && hostname === filesHost ? `https://${filesHost}` : api
    const response = await fetch(`${host}${pathname}${search}`, { ...options, redirect: 'error' })
    const { status, headers } = response
    return new Response(await readText(response, mostBytes), { status, headers })
  }
