import type { TaxIdResult } from '../../modules/tax/rules/index.ts'
import { log } from '../../platform/log.ts'
import { readText } from '../../platform/outbound/read-text.ts'
import { type Service, serviceProblems } from '../../platform/outbound/service-problems.ts'

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

/** How long a question may take: while a buyer waits for the page, and in the background, where nobody waits. */
const timeLimitMs = { page: 5_000, background: 20_000 } as const
export type Waiting = keyof typeof timeLimitMs
/** Of each kind, so that slow questions in the background leave a buyer's question its place. */
const mostAtOnce = 16
const mostBytes = 65_536
/** After this number of failures in a row nothing is asked for a while: buyers do not wait for a registry that is down. */
const failuresToPause = 5
const pauseMs = 30_000

interface Question {
  readonly waiting?: Waiting
  /** The part of the registry that answers, such as a member state. */
  readonly part?: string
}

const wholeRegistry = ''

export class TaxIdRegistry {
  readonly #asking: Record<Waiting, number> = { page: 0, background: 0 }
  /** Failures by part; failures of the registry itself are under `wholeRegistry`. */
  readonly #failures = new Map<string, number>()
  readonly #pausedUntil = new Map<string, number>()

  /** `isOfPart` tells from an error of an answer whether a part failed, and not the registry. */
  constructor(
    private readonly name: string,
    private readonly kind: 'vies' | 'hmrc',
    private readonly isOfPart: (error: string) => boolean = () => false,
  ) {}

  /**
   * Asks a question, of one request or several. Never throws and answers within five seconds, in the background within
   * twenty: silence, errors, and more than 16 questions at once are `unknown`. A failure of a part pauses that part alone.
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
      // A registry that asks its parts does not answer while a part does not answer.
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
    log.warn({ error, ...(part !== wholeRegistry && { part }) }, `${this.name} does not answer`)
    if (failures >= failuresToPause) this.#pausedUntil.set(part, Date.now() + pauseMs)
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
