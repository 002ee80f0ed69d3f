import type { TaxIdResult } from '../../modules/tax/rules/index.ts'
import { log } from '../../platform/log.ts'
import { readText } from '../../platform/outbound/read-text.ts'

/** What a registry of VAT IDs said, without what it was asked. */
export interface TaxIdAnswer {
  readonly result: TaxIdResult
  readonly name: string | null
  readonly address: string | null
  readonly consultationNumber: string | null
  /** Why the result is unknown: the registry's code, or ours. */
  readonly error: string | null
}

export const unknown = (error: string): TaxIdAnswer => ({
  result: 'unknown',
  name: null,
  address: null,
  consultationNumber: null,
  error: error.slice(0, 100),
})

export interface Reply {
  readonly status: number
  readonly text: string
}

/** Sends a request within the time of the question. Throws on silence, on a redirect, and on an answer that is too large. */
export type Send = (url: string, request: RequestInit) => Promise<Reply>

const timeLimitMs = 5_000
const mostAtOnce = 16
const mostBytes = 65_536
/** After so many failures in a row nothing is asked for a while: buyers do not wait for a registry that is down. */
const failuresToPause = 5
const pauseMs = 30_000

/** The bounds of questions to a registry that may be slow or away. */
export class TaxIdRegistry {
  #asking = 0
  #failures = 0
  #pausedUntil = 0

  constructor(private readonly name: string) {}

  /**
   * Asks a question, of one request or several. Never throws and answers within five seconds: silence, errors, and more
   * than 16 questions at once are `unknown`.
   */
  async ask(question: (send: Send) => Promise<TaxIdAnswer>): Promise<TaxIdAnswer> {
    if (Date.now() < this.#pausedUntil) return unknown('PAUSED_AFTER_FAILURES')
    if (this.#asking >= mostAtOnce) return unknown('TOO_MANY_QUESTIONS')
    this.#asking++
    const signal = AbortSignal.timeout(timeLimitMs)
    try {
      return await question((url, request) => this.#send(url, { ...request, redirect: 'error', signal }))
    } catch {
      const error = signal.aborted ? 'TIMEOUT' : 'CONNECTION_FAILED'
      this.#failed(error)
      return unknown(error)
    } finally {
      this.#asking--
    }
  }

  /** Forgets failures, as a new process does. */
  reset(): void {
    this.#failures = 0
    this.#pausedUntil = 0
  }

  async #send(url: string, request: RequestInit): Promise<Reply> {
    const response = await fetch(url, request)
    const text = await readText(response, mostBytes)
    if (response.status >= 500) this.#failed(`HTTP_${response.status}`)
    else this.#failures = 0
    return { status: response.status, text }
  }

  #failed(error: string): void {
    this.#failures++
    log.warn({ error }, `${this.name} does not answer`)
    if (this.#failures >= failuresToPause) this.#pausedUntil = Date.now() + pauseMs
  }
}

/** What a registry says as a text; null for nothing, and for the dashes of those that keep names to themselves. */
export function said(value: string | null | undefined, limit: number): string | null {
  const text = (value ?? '').trim()
  return text === '' || /^-+$/.test(text) ? null : text.slice(0, limit)
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
