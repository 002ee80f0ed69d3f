import { lookUp } from '../../../kernel/look-up.ts'
import type { TaxDecision } from './decision.ts'
import type { TaxIdRegistry } from './live-mode.ts'
import type { TaxFacts, TaxIdResult } from './tax-facts.ts'
import { isSameTaxCountry } from './territories.ts'
import { canonicalTaxId } from './vat-id.ts'

/** What a registry answered about a tax ID, and when. */
export interface TaxIdCheck {
  readonly id: string
  /** The checkout whose form asked, or the customer; null in both for a later question. */
  readonly checkoutId: string | null
  readonly customerId: string | null
  /** In canonical form. */
  readonly taxId: string
  readonly result: TaxIdResult
  /** As the registry has them; null where it says nothing. */
  readonly name: string | null
  readonly address: string | null
  /** The registry's proof that this seller asked; only for a seller with a VAT ID of its area. */
  readonly consultationNumber: string | null
  /** Why the result is unknown. */
  readonly error: string | null
  readonly source: TaxIdRegistry
  /** Real time. */
  readonly checkedAt: Date
}

/** Where a buyer of live mode is, by whom, and what decided the tax (Implementing Regulation 282/2011, art. 24f). */
export interface SaleEvidence {
  readonly orderId: string
  readonly declaredCountry: string
  readonly postalCode: string | null
  readonly ipCountry: string | null
  readonly paymentCountry: string | null
  /** When the buyer confirmed the declared country, asked because another piece of evidence named another one. */
  readonly countryConfirmedAt: Date | null
  readonly taxId: string | null
  readonly taxIdCheckId: string | null
  readonly taxReason: TaxDecision['reason']
  /** The day of the reference rate, of a sale that is not in EUR, as 2026-11-20. */
  readonly exchangeRateOn: string | null
  readonly createdAt: Date
}

interface Buyer {
  readonly country: string | null
  readonly postalCode?: string | null
  readonly taxId: string | null
}

/**
 * The evidence of an order by its buyer's form and the registry's answer that counts, with what else is known: where
 * the browser and the payment are, and what the tax and the rate were decided by.
 */
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
 * The country that contradicts the declared one: another piece of evidence names it, and none names the declared one.
 * Two pieces that agree decide the place of supply of a consumer (Implementing Regulation 282/2011, art. 24b(d)); where
 * there are none, the buyer is asked. Null where nothing contradicts.
 */
export function contradictionOf({ declaredCountry, ipCountry, paymentCountry }: Countries): string | null {
  const found = [ipCountry, paymentCountry].filter((each) => each !== null)
  if (found.some((each) => isSameTaxCountry(each, declaredCountry))) return null
  return found[0] ?? null
}

/**
 * How well the declared country is proven: another piece agrees with it; it stands alone; the buyer confirmed it against
 * one other piece; or others contradict it, by whom an operator should look.
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
/** An answer serves later sales to the same buyer so long. */
export const answerKeptMs = day
/** After no answer, the forms of an ID wait so long before they ask again. */
export const silenceKeptMs = 60_000
/** A subscription's answer is asked for again before a renewal if it is older. */
export const renewalAnswerKeptMs = 30 * day

/**
 * VIES's errors that asking again does not end, and how long they last: a number that it cannot read, and a block of us.
 * More questions would only prolong a block.
 */
const lastingErrors: Readonly<Record<string, number>> = {
  INVALID_INPUT: Number.POSITIVE_INFINITY,
  VAT_BLOCKED: day,
  IP_BLOCKED: day,
}

const lasts = (error: string | null): number => lookUp(lastingErrors, error ?? '') ?? 0

/** Whether another question would have the same error for an answer. */
export const isStillSilent = (
  { result, error, checkedAt }: Pick<TaxIdCheck, 'result' | 'error' | 'checkedAt'>,
  now: Date,
): boolean => result === 'unknown' && now.getTime() - checkedAt.getTime() < lasts(error)

const minute = 60_000
const firstDelays = [5, 5, 10, 20, 40]
const longestMs = 30 * day

/**
 * When to ask again for an ID that was first asked for at `begunAt` and has no answer yet: after 5, 5, 10, 20 and 40
 * minutes, then hourly; after an error that lasts, once it is over. Null after 30 days, and where it never is.
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
