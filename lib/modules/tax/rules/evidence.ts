import { lookUp } from '../../../kernel/look-up.ts'
import type { TaxDecision } from './decision.ts'
import type { TaxIdRegistry } from './live-mode.ts'
import type { TaxFacts, TaxIdResult } from './tax-facts.ts'
import { isSameTaxCountry } from './territories.ts'
import { canonicalTaxId } from './vat-id.ts'

export interface TaxIdCheck {
  readonly id: string
  /** The checkout or customer whose form caused the check; null for a later check. */
  readonly checkoutId: string | null
  readonly customerId: string | null
  /** In canonical form. */
  readonly taxId: string
  readonly result: TaxIdResult
  /** Null if the registry did not return them. */
  readonly name: string | null
  readonly address: string | null
  /** The registry's proof that this seller asked. Only sellers with a VAT ID of the registry's area get one. */
  readonly consultationNumber: string | null
  readonly error: string | null
  readonly source: TaxIdRegistry
  /** Real time. */
  readonly checkedAt: Date
}

/** Where a buyer of live mode is, and what decided the tax (Implementing Regulation 282/2011, art. 24f). */
export interface SaleEvidence {
  readonly orderId: string
  readonly declaredCountry: string
  readonly postalCode: string | null
  readonly ipCountry: string | null
  readonly paymentCountry: string | null
  /** Set because another piece of evidence named another country. */
  readonly countryConfirmedAt: Date | null
  readonly taxId: string | null
  readonly taxIdCheckId: string | null
  readonly taxReason: TaxDecision['reason']
  /** Such as 2026-11-20; null for a sale in EUR. */
  readonly exchangeRateOn: string | null
  readonly createdAt: Date
}

interface Buyer {
  readonly country: string | null
  readonly postalCode?: string | null
  readonly taxId: string | null
}

/** `known`: the countries of the browser and the payment, and the reasons for tax and rate. */
export function evidenceOf(
  { id: orderId }: { readonly id: string },
  { country, postalCode = null, taxId: typed }: Buyer,
  facts: Pick<TaxFacts, 'checkIds'> | null | undefined,
  known: Pick<SaleEvidence, 'taxReason' | 'createdAt'> & Partial<SaleEvidence>,
): SaleEvidence {
  const taxId = typed && canonicalTaxId(typed)
  return {
    orderId,
    declaredCountry: country ?? '',
    postalCode,
    ipCountry: null,
    paymentCountry: null,
    countryConfirmedAt: null,
    taxId,
    taxIdCheckId: (taxId && facts?.checkIds[taxId]) || null,
    exchangeRateOn: null,
    ...known,
  }
}

type Countries = Pick<SaleEvidence, 'declaredCountry' | 'ipCountry' | 'paymentCountry'>

/**
 * Another piece of evidence names this country, and no piece names the declared one. Two pieces that agree decide a
 * consumer's place of supply (Implementing Regulation 282/2011, art. 24b(d)); otherwise the buyer is asked. Null if
 * nothing contradicts.
 */
export function contradictionOf({ declaredCountry, ipCountry, paymentCountry }: Countries): string | null {
  const found = [ipCountry, paymentCountry].filter((each) => each !== null)
  if (found.some((each) => isSameTaxCountry(each, declaredCountry))) return null
  return found[0] ?? null
}

/**
 * `agreed`: another piece agrees. `alone`: it is the only piece. `confirmed`: the buyer confirmed it against one other
 * piece. `contradicted`: other pieces contradict it, and an operator must decide.
 */
export type CountryProof = 'agreed' | 'alone' | 'confirmed' | 'contradicted'

export function countryProofOf(evidence: Countries & Pick<SaleEvidence, 'countryConfirmedAt'>): CountryProof {
  const { ipCountry, paymentCountry, countryConfirmedAt } = evidence
  if (ipCountry === null && paymentCountry === null) return 'alone'
  if (contradictionOf(evidence) === null) return 'agreed'
  const isOutvoted = ipCountry !== null && paymentCountry !== null && isSameTaxCountry(ipCountry, paymentCountry)
  return countryConfirmedAt !== null && !isOutvoted ? 'confirmed' : 'contradicted'
}

const day = 86_400_000
/** For this long a response serves later sales to the same buyer. */
export const answerKeptMs = day
/** After a check without a response, forms wait this long before the next check. */
export const silenceKeptMs = 60_000
/** Before a renewal, a response older than this is checked again. */
export const renewalAnswerKeptMs = 30 * day

/**
 * Errors of VIES that a repeated check does not resolve, and how long they last: an unreadable number, and a block of
 * our address. More checks would only prolong a block.
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
 * The next check of a tax ID that was first checked at `begunAt` without a response: after 5, 5, 10, 20, and 40 minutes,
 * then hourly. After a lasting error, once it is over. Null after 30 days, or if the error never ends.
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
