import { taxAreaOf } from './areas.ts'
import { standardRate } from './rates.ts'
import { taxIdExample } from './tax-id-format.ts'
import { reverseCharge, type Sale, type TaxDecision, type TaxIdEffect, type TaxIdStanding } from './test-mode.ts'
import { isWellFormed, vatIdPrefix } from './vat-id.ts'

/**
 * The tax rules of live mode, for services supplied electronically. Directive 2006/112/EC: consumers are taxed where they
 * live (art. 58), companies where they are established (art. 44), and account for the tax themselves in another country
 * than the seller's (art. 196).
 */

/**
 * Outside the area of the VAT directive no tax is charged: the seller is registered nowhere else. Such a sale has one line
 * of tax of 0 %, as each order has.
 */
const outsideScope: TaxDecision = { reason: 'outside_scope', rates: [{ name: 'VAT', percentage: '0' }] }

/** The rate of a sale on its day. Throws if the table has no rate of a country in the area: then nothing may be sold. */
export function taxInLiveMode(sale: Sale): TaxDecision {
  const { buyerCountry, sellerCountry, postalCode = null, on } = sale
  if (taxIdEffectInLiveMode(sale) === 'reverse_charge') return { reason: 'reverse_charge', rates: [reverseCharge] }
  const area = taxAreaOf(buyerCountry, postalCode)
  const isAtHome = area.country === sellerCountry && buyerCountry === sellerCountry
  if (!area.isInEu && !(isAtHome && taxAreaOf(sellerCountry).isInEu === false)) return outsideScope
  const standard = standardRate(area.country, on)
  if (!standard) throw new Error(`the table of tax rates has none of ${area.country}`)
  const { name } = standard
  return { reason: 'standard', rates: [area.percentage ? { name, percentage: area.percentage } : standard] }
}

/** An ID of the right form. Whether its registry knows it is found out at the sale. */
export function taxIdInLiveMode(taxId: string | null, buyerCountry: string): TaxIdStanding {
  if (!taxId) return 'none'
  return buyerCountry !== '' && isWellFormed(taxId, buyerCountry) ? 'accepted' : 'not_accepted'
}

export const taxIdExampleInLiveMode = (taxId: string | null, buyerCountry: string): string | null => {
  const prefix = vatIdPrefix(buyerCountry)
  return taxIdExample(taxId, buyerCountry === 'MC' ? 'FR' : buyerCountry, prefix)
}

/** An ID changes something only within the area, and only if it was accepted: by its registry, or for want of an answer. */
export function taxIdEffectInLiveMode({
  buyerCountry,
  sellerCountry,
  postalCode = null,
  taxId,
  isTaxIdAccepted = false,
}: Omit<Sale, 'on'>): TaxIdEffect {
  const area = taxAreaOf(buyerCountry, postalCode)
  if (!taxId || !area.isInEu) return 'none'
  if (!isTaxIdAccepted || !isWellFormed(taxId, buyerCountry)) return 'not_confirmed'
  return area.country === taxAreaOf(sellerCountry).country ? 'domestic' : 'reverse_charge'
}
