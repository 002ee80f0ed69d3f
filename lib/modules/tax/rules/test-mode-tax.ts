import { cleanTaxId } from '../../../kernel/tax-id.ts'
import { standardRate, type TaxRate } from './rates.ts'
import { reverseCharge } from './reverse-charge.ts'
import { taxIdExample } from './tax-id-format.ts'
import type { Sale, TaxDecision, TaxIdEffect, TaxIdValidity } from './tax-types.ts'

/** Test mode simulates the tax by country alone and asks no registry. */

/** Quebec's tax applies to the price without GST (Revenu Québec, since 2013). Test mode charges this tax to every Canadian buyer. */
const quebecSalesTax: TaxRate = { name: 'QST', percentage: '9.975' }
const flatRate: TaxRate = { name: 'VAT', percentage: '20' }
export function taxInTestMode({ buyerCountry, sellerCountry, taxId, on }: Sale): TaxDecision {
  if (taxIdEffectInTestMode({ buyerCountry, sellerCountry, taxId }) === 'reverse_charge') {
    return { reason: 'reverse_charge', rates: [reverseCharge] }
  }
  const rate = standardRate(buyerCountry, on) ?? flatRate
  return { reason: 'standard', rates: buyerCountry === 'CA' ? [rate, quebecSalesTax] : [rate] }
}

/** In test mode, a tax ID begins with the country code of the buyer's country. */
export const taxIdExampleInTestMode = (taxId: string | null, buyerCountry: string): string | null =>
  taxIdExample(taxId, buyerCountry, buyerCountry)

/** The cleaned tax ID must begin with the exact code of the buyer's country, in capitals: `GR1` for GR, not `EL1`. */
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
