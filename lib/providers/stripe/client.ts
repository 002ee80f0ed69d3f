import { setTimeout as wait } from 'node:timers/promises'
import Stripe from 'stripe'
import type { AccountSettings } from '../../platform/config-providers.ts'
import { Connection } from '../../platform/outbound/connection.ts'
import { readText } from '../../platform/outbound/read-text.ts'
import { serviceProblems } from '../../platform/outbound/service-problems.ts'
import { WorkQueue } from '../../platform/work-queue.ts'
import type { Account } from '../account.ts'
import { AccountProblem } from '../live-payments/account-problems.ts'

/** The outcome of a request is unknown, or Stripe cannot be asked now: the caller asks again later. */
export class StripeAway extends Error {
  override readonly name = 'StripeAway'

  constructor(
    message: string,
    /** Whether Stripe saved this failure under the idempotency key: the same key fails for 24 hours. */
    readonly isSaved = false,
  ) {
    super(message)
  }
}

/** Stripe refuses a request for good. The message has no text of Stripe's: that may repeat what a buyer typed. */
export class StripeRefused extends Error {
  override readonly name = 'StripeRefused'
  readonly status: number
  /** Stripe's error code and, of a card, the bank's and its advice: 'card_declined', 'insufficient_funds', 'try_again_later'. */
  readonly code: string | null
  readonly declineCode: string | null
  readonly adviceCode: string | null
  /** The field of the request that is wrong, or null. */
  readonly param: string | null
  /** What a charge that was declined left behind. */
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

/** How long a buyer waits for a page, and how long a background job waits: as long as Stripe's own client. */
const timeoutsMs = { page: 10_000, background: 80_000 } as const
type Waiting = keyof typeof timeoutsMs
/** Stripe answers 409 while the same request is still running. */
const conflictWaitsMs = [250, 500, 1000]
const mostBytes = 4_000_000

/** By account: one account may be refused while another is not. */
const connections = new Map<string, Connection>()

function connectionOf({ name }: Account): Connection {
  const connection = connections.get(name) ?? new Connection({ kind: 'payments', account: name })
  connections.set(name, connection)
  return connection
}

/** A queue for each, so that no buyer waits for a place behind slow charges. */
const queueOfRequests = () => new WorkQueue({ atOnce: 16, most: 5_000, mostOfOne: 5_000, retryAfterSeconds: 5 })
const queues: Readonly<Record<Waiting, WorkQueue>> = { page: queueOfRequests(), background: queueOfRequests() }

/** `ok`, or what is wrong with the connection to an account, as this process has seen it. */
export const connectionState = ({ name: account }: Account): string =>
  serviceProblems().seenHere({ kind: 'payments', account })

export const resetConnection = (): void => connections.clear()

export interface Opened {
  readonly name: string
  readonly ask: Ask
}

export type Ask = <Answer>(request: (stripe: Stripe) => Promise<Answer>) => Promise<Answer>

/**
 * How Stripe is asked as an account, by a page or by a background job. Throws `StripeRefused` if Stripe refuses for good,
 * `AccountProblem` if the key lacks a permission, and `StripeAway` if Stripe does not answer in time, or answers that it cannot now.
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
  throw new StripeAway('Stripe is still at the same request')
}

function failureOf(error: unknown, connection: Connection): Error {
  const { StripeError, StripeCardError, StripeIdempotencyError, StripeInvalidRequestError } = Stripe.errors
  if (!(error instanceof StripeError)) return error as Error
  const { statusCode: status, headers } = error
  const isRefused = error instanceof StripeCardError || error instanceof StripeInvalidRequestError
  const isAnswer = isRefused || status === 403 || status === 409 || error instanceof StripeIdempotencyError
  if (isAnswer) connection.answered()
  // One purpose is forbidden, while the key serves all others.
  if (status === 403) return forbidden(error.message)
  if (isRefused) return new StripeRefused(error)
  if (status === 409) return new StripeAway('Stripe is still at the same request')
  if (error instanceof StripeIdempotencyError) return new StripeAway('Stripe knows another request with this key')
  const problem = status === 401 ? 'refuses the API key' : status ? `answers ${status}` : 'does not answer'
  connection.failed(new Date(), problem, status === 429 ? retryAfterMs(headers) : null)
  const isSaved = status !== undefined && status >= 500 && headers?.['idempotent-replayed'] === 'true'
  return new StripeAway(`Stripe ${problem}`, isSaved)
}

/** Stripe names the permission that a restricted key lacks: `rak_payment_method_write`. */
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

/** The client of each account and way of waiting, for as long as its key is the same. */
const made = new Map<string, { readonly key: string; readonly stripe: Stripe }>()

function clientOf(account: string, { apiKey, base }: AccountSettings, waiting: Waiting): Stripe {
  const place = `${account} ${waiting}`
  const key = `${apiKey} ${base}`
  const known = made.get(place)
  if (known?.key === key) return known.stripe
  const stripe = new Stripe(apiKey, {
    // The caller repeats a request, and looks first for what it did.
    maxNetworkRetries: 0,
    timeout: timeoutsMs[waiting],
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchBelow(base)),
  })
  made.set(place, { key, stripe })
  return stripe
}

const filesHost = 'files.stripe.com'

/** The platform's fetch, with a limit of what is read. The key must not go where a redirect leads. */
const fetchBelow =
  (base: string): typeof fetch =>
  async (address, options) => {
    const { hostname, pathname, search } = new URL(String(address))
    const api = base.replace(/\/v1$/, '')
    // Stripe takes files at a host of their own.
    const host = api === 'https://api.stripe.com' && hostname === filesHost ? `https://${filesHost}` : api
    const response = await fetch(`${host}${pathname}${search}`, { ...options, redirect: 'error' })
    const { status, headers } = response
    return new Response(await readText(response, mostBytes), { status, headers })
  }
