import { setTimeout as wait } from 'node:timers/promises'
import Stripe from 'stripe'
import { config } from '../../platform/config.ts'
import { Connection } from '../../platform/outbound/connection.ts'
import { readText } from '../../platform/outbound/read-text.ts'
import { WorkQueue } from '../../platform/work-queue.ts'

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
  /** What a charge that was declined left behind. */
  readonly intentId: string | null

  constructor({ statusCode, code, decline_code, payment_intent }: Stripe.errors.StripeError) {
    super(`Stripe answered ${statusCode}, because of ${decline_code ?? code ?? 'the request'}`)
    this.status = statusCode ?? 0
    this.code = code ?? null
    this.declineCode = decline_code ?? null
    this.intentId = payment_intent?.id ?? null
  }
}

const timeoutMs = 10_000
/** Stripe answers 409 while the same request is still running. */
const conflictWaitsMs = [250, 500, 1000]
const mostBytes = 4_000_000

const connection = new Connection()
const queue = new WorkQueue({ atOnce: 16, most: 5_000, mostOfOne: 5_000, retryAfterSeconds: 5 })

/** `ok`, or what is wrong with the connection. */
export const connectionState = (): string => connection.state()

/** For tests: Stripe is asked again at once. */
export const resetConnection = (): void => connection.answered()

/**
 * Asks Stripe. Throws `StripeRefused` if it refuses for good, and `StripeAway` if it does not answer in ten seconds, or answers
 * that it cannot now.
 */
export const ask = <Answer>(request: (stripe: Stripe) => Promise<Answer>): Promise<Answer> =>
  queue.run('stripe', async () => {
    const paused = connection.pause(new Date())
    if (paused > 0) throw new StripeAway(`Stripe is not asked for another ${paused} ms`)
    for (const waitMs of [...conflictWaitsMs, null]) {
      const { answer, error } = await request(client()).then(
        (answer) => ({ answer, error: null }),
        (error) => ({ answer: null, error }),
      )
      if (error?.statusCode === 409 && waitMs !== null) {
        await wait(waitMs)
        continue
      }
      if (error) throw failureOf(error)
      connection.answered()
      return answer as Answer
    }
    throw new StripeAway('Stripe is still at the same request')
  })

function failureOf(error: unknown): Error {
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

let made: { readonly account: string; readonly stripe: Stripe } | undefined

function client(): Stripe {
  const account = config().stripe
  if (!account) throw new Error('STRIPE_API_KEY is not set')
  const key = `${account.apiKey} ${account.base}`
  if (made?.account !== key) {
    const stripe = new Stripe(account.apiKey, {
      // The caller repeats a request, and looks first for what it did.
      ...{ maxNetworkRetries: 0, timeout: timeoutMs, telemetry: false },
      httpClient: Stripe.createFetchHttpClient(fetchBelow(account.base)),
    })
    made = { account: key, stripe }
  }
  return made.stripe
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
