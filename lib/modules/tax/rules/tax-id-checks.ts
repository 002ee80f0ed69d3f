import { lookUp } from '../../../kernel/look-up.ts'
import type { TaxIdRegistry } from './live-mode-tax.ts'
import type { TaxIdResult } from './tax-facts.ts'

export interface TaxIdCheck {
  readonly id: string
  /** The checkout or customer whose form caused the check. Both are null for a repeated check. */
  readonly checkoutId: string | null
  readonly customerId: string | null
  readonly taxId: string
  readonly result: TaxIdResult
  readonly name: string | null
  readonly address: string | null
  /** The registry's proof that the seller requested the check. A registry issues this proof only to sellers with a VAT ID of the registry's area. */
  readonly consultationNumber: string | null
  readonly error: string | null
  readonly source: TaxIdRegistry
  readonly checkedAt: Date
}

const day = 86_400_000
/** The maximum age, in milliseconds, of a registry response that is reused for another sale to the same buyer. */
export const answerKeptMs = day
/** If a registry does not respond, forms do not repeat the check of the tax ID for this number of milliseconds. */
export const silenceKeptMs = 60_000
/** The age of a registry response, in milliseconds, after which a renewal repeats the check. */
export const renewalAnswerKeptMs = 30 * day

/**
 * VIES errors that an early retry does not resolve, with the milliseconds until the next check. `INVALID_INPUT` is
 * permanent, because VIES never accepts an invalid number. The blocks (`…_BLOCKED`) last a day, and VIES prolongs a
 * block after further checks.
 */
const lastingErrors: Readonly<Record<string, number>> = {
  INVALID_INPUT: Number.POSITIVE_INFINITY,
  VAT_BLOCKED: day,
  IP_BLOCKED: day,
}

const lasts = (error: string | null): number => lookUp(lastingErrors, error ?? '') ?? 0

export const isStillSilent = (
  { result, error, checkedAt }: Pick<TaxIdCheck, 'result' | 'error' | 'checkedAt'>,
  now: Date,
): boolean => result === 'unknown' && now.getTime() - checkedAt.getTime() < lasts(error)

const minute = 60_000
const firstDelays = [5, 5, 10, 20, 40]
const longestMs = 30 * day

/**
 * Returns the time of the next check of a tax ID that was first checked at `begunAt`. The waits between checks are 5, 5, 10, 20, and 40 minutes, then one hour.
 * After a lasting error, the next check is due when the error ends. Returns null after 30 days, and after an error that never ends.
 */
export function nextQuestion(begunAt: Date, now: Date, error: string | null = null): Date | null {
  const elapsed = now.getTime() - begunAt.getTime()
  const pauseMs = lasts(error)
  if (elapsed >= longestMs || !Number.isFinite(pauseMs)) return null
  if (pauseMs > 0) return new Date(now.getTime() + pauseMs)
  let at = 0
  for (let question = 0; at <= elapsed; question++) at += (firstDelays[question] ?? 60) * minute
  return new Date(begunAt.getTime() + at)
}
