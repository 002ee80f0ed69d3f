import { cleanTaxId } from '../../../kernel/tax-id.ts'
import { reverseCharge, type Sale, type TaxDecision, type TaxIdEffect, type TaxIdValidity } from './decision.ts'
import { standardRate, type TaxRate } from './rates.ts'
import { taxIdExample } from './tax-id-format.ts'

/** Simulated by country, without a query to a registry. */

/** Quebec's tax, for every Canadian buyer, on the price without GST (Revenu Québec, since 2013). */
const quebecSalesTax: TaxRate = { name: 'QST', percentage: '9.975' }
/** For countries without an entry in the table. */
const flatRate: TaxRate = { name: 'VAT', percentage: '20' }
/** A reverse charge replaces every other tax. */
export function taxInTestMode({ buyerCountry, sellerCountry, taxId, on }: Sale): TaxDecision {
  if (taxIdEffectInTestMode({ buyerCountry, sellerCountry, taxId }) === 'reverse_charge') {
    return { reason: 'reverse_charge', rates: [reverseCharge] }
  }
  const rate = standardRate(buyerCountry, on) ?? flatRate
  return { reason: 'standard', rates: buyerCountry === 'CA' ? [rate, quebecSalesTax] : [rate] }
}

/** The country's code is the prefix of every country. */
export const taxIdExampleInTestMode = (taxId: string | null, buyerCountry: string): string | null =>
  taxIdExample(taxId, buyerCountry, buyerCountry)

/**
 * A cleaned tax ID must begin with the literal code of the buyer's country: `GR1` for GR, not `EL1`, and no small
 * letters. Without a country no tax ID is confirmed.
 */
export function taxIdInTestMode(typed: string | null, buyerCountry: string): TaxIdValidity {
  const taxId = cleanTaxId(typed ?? '')
  if (!taxId) return 'none'
  return buyerCountry !== '' && taxId.startsWith(buyerCountry) ? 'accepted' : 'not_accepted'
}

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
