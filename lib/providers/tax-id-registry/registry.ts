import type { TaxIdResult } from '../../modules/tax/rules/index.ts'
import { log } from '../../platform/log.ts'
import { readText } from '../../platform/outbound/read-text.ts'
import { type Service, serviceProblems } from '../../platform/outbound/service-problems.ts'

export interface TaxIdAnswer {
  readonly result: TaxIdResult
  readonly name: string | null
  readonly address: string | null
  readonly consultationNumber: string | null
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

/**
 * Sends a request. Throws if no response arrives in time, if the response is a redirect, or if it is above the size
 * limit.
 */
export type Send = (url: string, request: RequestInit) => Promise<Reply>

const timeLimitMs = { page: 5_000, background: 20_000 } as const
export type Waiting = keyof typeof timeLimitMs
/**
 * The maximum number of concurrent queries of each kind. Pages and background queries have separate limits, so that slow background queries do not block pages.
 */
const mostAtOnce = 16
const mostBytes = 65_536
/** Consecutive failures after which queries pause, so that buyers do not wait for a registry that is down. */
const failuresToPause = 5
const pauseMs = 30_000

interface Question {
  readonly waiting?: Waiting
  /** The part of the registry that must respond, such as the system of a member state. */
  readonly part?: string
}

const wholeRegistry = ''

export class TaxIdRegistry {
  readonly #asking: Record<Waiting, number> = { page: 0, background: 0 }
  /** Failures by part. Failures of the registry itself have the key `wholeRegistry`. */
  readonly #failures = new Map<string, number>()
  readonly #pausedUntil = new Map<string, number>()

  constructor(
    private readonly name: string,
    private readonly kind: 'vies' | 'hmrc',
    private readonly isOfPart: (error: string) => boolean = () => false,
  ) {}

  /**
   * Queries the registry and never throws. The result is `unknown` after an error or a timeout, during a pause after
   * failures, and while 16 queries of the same kind are running.
   */
  async ask(
    question: (send: Send) => Promise<TaxIdAnswer>,
    { waiting = 'page', part = wholeRegistry }: Question = {},
  ): Promise<TaxIdAnswer> {
    if (this.#isPaused(part)) return unknown('PAUSED_AFTER_FAILURES')
    if (this.#asking[waiting] >= mostAtOnce) return unknown('TOO_MANY_QUESTIONS')
    this.#asking[waiting]++
    const signal = AbortSignal.timeout(timeLimitMs[waiting])
    let status = 0
    try {
      const answer = await question(async (url, request) => {
        const response = await fetch(url, { ...request, redirect: 'error', signal })
        status = response.status
        return { status, text: await readText(response, mostBytes) }
      })
      if (status >= 500) this.#failed(`HTTP_${status}`, this.isOfPart(answer.error ?? '') ? part : wholeRegistry)
      else this.#answered(part)
      return answer
    } catch {
      const error = signal.aborted ? 'TIMEOUT' : 'CONNECTION_FAILED'
      // A timeout counts as a failure of the queried part, because the registry delays its response while it waits for that part.
      this.#failed(error, signal.aborted ? part : wholeRegistry)
      return unknown(error)
    } finally {
      this.#asking[waiting]--
    }
  }

  reset(): void {
    this.#failures.clear()
    this.#pausedUntil.clear()
  }

  #serviceOf(part: string): Service {
    return part === wholeRegistry ? { kind: this.kind } : { kind: this.kind, account: part }
  }

  #isPaused(part: string): boolean {
    return [wholeRegistry, part].some((each) => Date.now() < (this.#pausedUntil.get(each) ?? 0))
  }

  #answered(part: string): void {
    this.#failures.delete(part)
    this.#failures.delete(wholeRegistry)
    for (const each of new Set([part, wholeRegistry])) serviceProblems().resolve(this.#serviceOf(each))
  }

  #failed(error: string, part: string): void {
    const failures = (this.#failures.get(part) ?? 0) + 1
    this.#failures.set(part, failures)
    const where = part === wholeRegistry ? '' : ` for ${part}`
    serviceProblems().report(this.#serviceOf(part), `does not answer${where} (${error})`)
    log.warn({ error, ...(part !== wholeRegistry && { part }) }, `${this.name} does not respond`)
    if (failures >= failuresToPause) this.#pausedUntil.set(part, Date.now() + pauseMs)
  }
}

/**
 * Returns at most `limit` characters of the text. Returns null for an empty text and for dashes, which registries use
 * in place of unpublished names.
 */
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
