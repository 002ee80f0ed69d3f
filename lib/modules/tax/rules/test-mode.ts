import { cleanTaxId } from '../../../kernel/tax-id.ts'
import { standardRate, type TaxRate } from './rates.ts'
import type { TaxFacts } from './tax-facts.ts'
import { taxIdExample } from './tax-id-format.ts'

/** The tax rules of test mode: simulated, by country alone, without a query of any registry. */

/** Quebec's tax, for every Canadian buyer. On the price without GST (Revenu Québec, since 2013). */
const quebecSalesTax: TaxRate = { name: 'QST', percentage: '9.975' }
/** For a country without an entry in the table. */
const flatRate: TaxRate = { name: 'VAT', percentage: '20' }
/** Directive 2006/112/EC, art. 196 and 226 (11a): the buyer owes the tax, the invoice says so. */
export const reverseCharge: TaxRate = { name: 'Reverse charge', percentage: '0' }

export const isReverseCharge = (taxes: readonly { readonly rate: TaxRate }[]): boolean =>
  taxes.some(({ rate }) => rate.name === reverseCharge.name)

/** Rates to apply to every line of an order, never none, and why. */
export interface TaxDecision {
  readonly reason: 'standard' | 'reverse_charge' | 'outside_scope'
  readonly rates: readonly TaxRate[]
}

export interface Sale {
  /** ISO 3166-1 alpha-2, as `sellerCountry`. */
  readonly buyerCountry: string
  readonly sellerCountry: string
  readonly taxId: string | null
  /** Live mode: the buyer's, as it was typed; it tells the parts of a country that tax differently. */
  readonly postalCode?: string | null
  /** Live mode: without them nothing is registered, and no tax ID was checked. */
  readonly facts?: TaxFacts | undefined
  readonly on: Date
}

/** The rates of a sale. A reverse charge replaces every other tax. */
export function taxInTestMode({ buyerCountry, sellerCountry, taxId, on }: Sale): TaxDecision {
  if (taxIdEffectInTestMode({ buyerCountry, sellerCountry, taxId }) === 'reverse_charge') {
    return { reason: 'reverse_charge', rates: [reverseCharge] }
  }
  const rate = standardRate(buyerCountry, on) ?? flatRate
  return { reason: 'standard', rates: buyerCountry === 'CA' ? [rate, quebecSalesTax] : [rate] }
}

/** How the tax ID of a buyer's country is written in test mode: the country's code is the prefix everywhere. */
export const taxIdExampleInTestMode = (taxId: string | null, buyerCountry: string): string | null =>
  taxIdExample(taxId, buyerCountry, buyerCountry)

export type TaxIdStanding = 'none' | 'accepted' | 'not_accepted'

/**
 * Whether a tax ID is valid: cleaned, it begins with the buyer's country code, taken literally (`GR1` for GR, not `EL1`; no
 * small letters). Without a country nothing is confirmed.
 */
export function taxIdInTestMode(typed: string | null, buyerCountry: string): TaxIdStanding {
  const taxId = cleanTaxId(typed ?? '')
  if (!taxId) return 'none'
  return buyerCountry !== '' && taxId.startsWith(buyerCountry) ? 'accepted' : 'not_accepted'
}

/**
 * The effect of a tax ID on a sale: none was given (`none`); the buyer accounts for the tax (`reverse_charge`); it is
 * accepted, but the buyer is in the seller's country, so tax applies (`domestic`); or it is not confirmed, so tax
 * applies (`not_confirmed`).
 */
export type TaxIdEffect = 'none' | 'reverse_charge' | 'domestic' | 'not_confirmed'

export const reversesInTestMode = ({ buyerCountry, sellerCountry }: Omit<Sale, 'on' | 'taxId'>): boolean =>
  buyerCountry !== '' && buyerCountry !== sellerCountry

export function taxIdEffectInTestMode({ buyerCountry, sellerCountry, taxId }: Omit<Sale, 'on'>): TaxIdEffect {
  switch (taxIdInTestMode(taxId, buyerCountry)) {
    case 'none':
      return 'none'
    case 'not_accepted':
      return 'not_confirmed'
    case 'accepted':
      return reversesInTestMode({ buyerCountry, sellerCountry }) ? 'reverse_charge' : 'domestic'
  }
}
