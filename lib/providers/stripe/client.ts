import { setTimeout as wait } from 'node:timers/promises'
import Stripe from 'stripe'
import type { AccountSettings } from '../../platform/config-providers.ts'
import { Connection } from '../../platform/outbound/connection.ts'
import { readText } from '../../platform/outbound/read-text.ts'
import { WorkQueue } from '../../platform/work-queue.ts'
import type { Account } from '../account.ts'

/** The outcome of a request is unknown, or Stripe cannot be asked now: the caller asks again later. */
export class StripeAway extends Error {
  override readonly name = 'StripeAway'
}

/** Stripe refuses a request for good. The message has no text of Stripe's: that may repeat what a buyer typed. */
export class StripeRefused extends Error {
  override readonly name = 'StripeRefused'
  readonly status: number
  /** Stripe's error code and, of a card, the bank's: 'card_declined', 'insufficient_funds'. */
  readonly code: string | null
  readonly declineCode: string | null
  /** The field of the request that is wrong, or null. */
  readonly param: string | null
  /** What a charge that was declined left behind. */
  readonly intentId: string | null

  constructor({ statusCode, code, decline_code, param, payment_intent }: Stripe.errors.StripeError) {
    super(`Stripe answered ${statusCode}, because of ${decline_code ?? code ?? 'the request'}`)
    this.status = statusCode ?? 0
    this.code = code ?? null
    this.declineCode = decline_code ?? null
    this.param = param ?? null
    this.intentId = payment_intent?.id ?? null
  }
}

const timeoutMs = 10_000
/** Stripe answers 409 while the same request is still running. */
const conflictWaitsMs = [250, 500, 1000]
const mostBytes = 4_000_000

/**
 * By account and purpose: one account may be refused while another is not, and a restricted key what reads payouts while payments
 * go on.
 */
const connections = new Map<string, Connection>()

type Purpose = 'payments' | 'payouts'

function connectionOf({ name }: Account, purpose: Purpose): Connection {
  const place = `${name} ${purpose}`
  const connection = connections.get(place) ?? new Connection()
  connections.set(place, connection)
  return connection
}

const queue = new WorkQueue({ atOnce: 16, most: 5_000, mostOfOne: 5_000, retryAfterSeconds: 5 })

/** `ok`, or what is wrong with the connection to an account. */
export const connectionState = (account: Account): string =>
  connections.get(`${account.name} payments`)?.state() ?? 'ok'

/** For tests: Stripe is asked again at once. */
export const resetConnection = (): void => connections.clear()

/** An account, and how it is asked. */
export interface Opened {
  readonly name: string
  readonly ask: Ask
}

/** Asks Stripe as one account (see `askerOf`). */
export type Ask = <Answer>(request: (stripe: Stripe) => Promise<Answer>) => Promise<Answer>

/**
 * How Stripe is asked as an account. Throws `StripeRefused` if it refuses for good, and `StripeAway` if it does not answer in ten
 * seconds, or answers that it cannot now.
 */
export const askerOf =
  (account: Account, purpose: Purpose = 'payments'): Ask =>
  <Answer>(request: (stripe: Stripe) => Promise<Answer>): Promise<Answer> =>
    queue.run(account.name, async () => {
      const stripe = clientOf(account.name, await account.settings())
      const connection = connectionOf(account, purpose)
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
    })

function failureOf(error: unknown, connection: Connection): Error {
  const { StripeError, StripeCardError, StripeIdempotencyError, StripeInvalidRequestError } = Stripe.errors
  if (!(error instanceof StripeError)) return error as Error
  const { statusCode: status, headers } = error
  const isRefused = error instanceof StripeCardError || error instanceof StripeInvalidRequestError
  if (isRefused || status === 409 || error instanceof StripeIdempotencyError) connection.answered()
  if (isRefused) return new StripeRefused(error)
  if (status === 409) return new StripeAway('Stripe is still at the same request')
  if (error instanceof StripeIdempotencyError) return new StripeAway('Stripe knows another request with this key')
  const isKey = status === 401 || status === 403
  const problem = isKey ? 'refuses the API key' : status ? `answers ${status}` : 'does not answer'
  connection.failed(new Date(), problem, status === 429 ? retryAfterMs(headers) : null)
  return new StripeAway(`Stripe ${problem}`)
}

function retryAfterMs(headers: Record<string, string> | undefined): number {
  const seconds = Number(headers?.['retry-after'] ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 1000
}

/** The client of each account, for as long as its key is the same. */
const made = new Map<string, { readonly key: string; readonly stripe: Stripe }>()

function clientOf(account: string, { apiKey, base }: AccountSettings): Stripe {
  const key = `${apiKey} ${base}`
  const known = made.get(account)
  if (known?.key === key) return known.stripe
  const stripe = new Stripe(apiKey, {
    // The caller repeats a request, and looks first for what it did.
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchBelow(base)),
  })
  made.set(account, { key, stripe })
  return stripe
}

/** The platform's fetch, with a limit of what is read. The key must not go where a redirect leads. */
const fetchBelow =
  (base: string): typeof fetch =>
  async (address, options) => {
    const { pathname, search } = new URL(String(address))
    const response = await fetch(`${base.replace(/\/v1$/, '')}${pathname}${search}`, { ...options, redirect: 'error' })
    const { status, headers } = response
    return new Response(await readText(response, mostBytes), { status, headers })
  }
