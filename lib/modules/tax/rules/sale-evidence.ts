import { isSameTaxCountry } from './place-of-supply.ts'
import type { TaxFacts } from './tax-facts.ts'
import type { TaxDecision } from './tax-types.ts'
import { canonicalTaxId } from './vat-id.ts'

/** The evidence for the buyer's location in live mode, and the facts that decided the tax (Implementing Regulation 282/2011, art. 24f). */
export interface SaleEvidence {
  readonly orderId: string
  readonly declaredCountry: string
  readonly postalCode: string | null
  readonly ipCountry: string | null
  readonly paymentCountry: string | null
  /** The time at which the buyer confirmed the declared country. A confirmation is needed if other evidence names another country. */
  readonly countryConfirmedAt: Date | null
  readonly taxId: string | null
  readonly taxIdCheckId: string | null
  readonly taxReason: TaxDecision['reason']
  readonly exchangeRateOn: string | null
  readonly createdAt: Date
}

interface Buyer {
  readonly country: string | null
  readonly postalCode?: string | null
  readonly taxId: string | null
}

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
 * Returns the country of the evidence if no piece of evidence names the declared country. The buyer must then confirm
 * the declared country. Returns null without evidence. Also returns null if a piece of evidence names the declared
 * country, because two matching pieces decide a consumer's place of supply (Implementing Regulation 282/2011, art.
 * 24b(d)).
 */
export function contradictingCountry({ declaredCountry, ipCountry, paymentCountry }: Countries): string | null {
  const found = [ipCountry, paymentCountry].filter((each) => each !== null)
  if (found.some((each) => isSameTaxCountry(each, declaredCountry))) return null
  return found[0] ?? null
}

/**
 * `agreed`: other evidence names the declared country. `alone`: no other evidence exists. `confirmed`: the evidence names a different
 * country, no two pieces name the same country, and the buyer confirmed the declared country. `contradicted`: the evidence names a different country and the
 * declared country is not proved, so an operator must decide.
 */
export type CountryProof = 'agreed' | 'alone' | 'confirmed' | 'contradicted'

export function countryProofOf(evidence: Countries & Pick<SaleEvidence, 'countryConfirmedAt'>): CountryProof {
  const { ipCountry, paymentCountry, countryConfirmedAt } = evidence
  if (ipCountry === null && paymentCountry === null) return 'alone'
  if (contradictingCountry(evidence) === null) return 'agreed'
  const isOutvoted = ipCountry !== null && paymentCountry !== null && isSameTaxCountry(ipCountry, paymentCountry)
  return countryConfirmedAt !== null && !isOutvoted ? 'confirmed' : 'contradicted'
}
