import { hasRate } from '../../../kernel/format.ts'
import { canadianRates } from './canada.ts'
import { type Place, placeOfSupply, vatCountry } from './place-of-supply.ts'
import { standardRate, type TaxRate } from './rates.ts'
import { isInForce } from './registration.ts'
import { reverseCharge } from './reverse-charge.ts'
import { noTaxFacts, type TaxFacts } from './tax-facts.ts'
import { taxIdExample } from './tax-id-format.ts'
import type { Sale, TaxDecision, TaxIdEffect, TaxIdValidity } from './tax-types.ts'
import { canonicalTaxId, isTaxIdOf, taxIdPrefix } from './vat-id.ts'

/** docs/decisions/0018-live-tax.md states the sources of and reasons for the rules in this file. */

/** A supply outside the EU bears no EU VAT (Directive 2006/112/EC, art. 44, 58, and 59; EN 16931, category O). */
const outsideScope: TaxRate = { name: 'Outside scope', percentage: '0' }

export const isOutsideScope = (taxes: readonly { readonly rate: TaxRate }[]): boolean =>
  taxes.some(({ rate }) => !hasRate(rate.name))

export function taxInLiveMode(sale: Sale): TaxDecision {
  const place = placeOfSupply(sale.buyerCountry, sale.postalCode ?? null)
  if (taxIdEffectInLiveMode(sale) === 'reverse_charge') return { reason: 'reverse_charge', rates: [reverseCharge] }
  if (place.area === 'eu') return { reason: 'standard', rates: [rateAt(place, place.country, sale.on)] }
  const rates = ratesOutside(place, sale)
  return rates.length > 0 ? { reason: 'standard', rates } : { reason: 'outside_scope', rates: [outsideScope] }
}

function ratesOutside(place: Place, { sellerCountry, on, postalCode = null, facts = noTaxFacts }: Sale) {
  const { country } = place
  if (country === null) return []
  const day = on.toISOString().slice(0, 10)
  const registrations = facts.registrations.filter(
    (each) => each.country === country && each.scheme === 'local' && isInForce(each, day),
  )
  const isAtHome = country === vatCountry(sellerCountry)
  if (country === 'CA') return canadianRates({ registrations, isAtHome }, postalCode, day)
  if (!isAtHome && registrations.length === 0) return []
  return standardRate(country, on) ? [rateAt(place, country, on)] : []
}

function rateAt({ ratePercentage }: Place, country: string, on: Date): TaxRate {
  if (ratePercentage !== null) return { name: 'VAT', percentage: ratePercentage }
  const rate = standardRate(country, on)
  if (!rate) throw new RangeError(`The table of tax rates has no entry for ${country}`)
  return rate
}

/**
 * A tax ID has the same effects as in test mode, but a registry must confirm the tax ID. Outside the EU and the United Kingdom, a tax ID has no effect, because
 * the tax depends only on the seller's registrations.
 */
export function taxIdEffectInLiveMode({
  buyerCountry,
  sellerCountry,
  taxId,
  postalCode = null,
  facts = noTaxFacts,
}: Omit<Sale, 'on'>): TaxIdEffect {
  if (!taxId) return 'none'
  if (!isTaxIdOf(taxId, buyerCountry)) return 'not_confirmed'
  // A missing result means that the registry was not asked. `unknown` means that the registry did not respond.
  const result = facts.taxIdResults[canonicalTaxId(taxId)]
  const isConfirmed = result === 'valid' || (result === 'unknown' && facts.acceptsUnknown)
  const effect = isConfirmed ? 'reverse_charge' : 'not_confirmed'
  const place = placeOfSupply(buyerCountry, postalCode)
  if (place.country === 'GB') return result && collectsInBritain(sellerCountry, facts) ? effect : 'none'
  if (place.area !== 'eu') return 'none'
  return reversesInLiveMode({ buyerCountry, sellerCountry, postalCode }) ? effect : 'domestic'
}

/**
 * A foreign seller with a registration in the United Kingdom charges VAT to British consumers. British companies
 * account for the VAT themselves (Value Added Tax Act 1994, s. 7A and 8). Without a registration, nobody pays VAT.
 */
const collectsInBritain = (sellerCountry: string, { registrations, readOn }: TaxFacts): boolean =>
  vatCountry(sellerCountry) !== 'GB' &&
  registrations.some((each) => each.country === 'GB' && each.scheme === 'local' && isInForce(each, readOn))

export const reversesInLiveMode = ({ buyerCountry, sellerCountry, postalCode }: Omit<Sale, 'on' | 'taxId'>): boolean =>
  placeOfSupply(buyerCountry, postalCode ?? null).area === 'eu' &&
  vatCountry(buyerCountry) !== vatCountry(sellerCountry)

export const needsCheck = ({ buyerCountry, sellerCountry, taxId, postalCode }: Omit<Sale, 'on'>): boolean => {
  const facts = { ...noTaxFacts, taxIdResults: taxId ? { [canonicalTaxId(taxId)]: 'valid' as const } : {} }
  const sale = { buyerCountry, sellerCountry, taxId, postalCode: postalCode ?? null, facts }
  return taxIdEffectInLiveMode(sale) === 'reverse_charge'
}

export type TaxIdRegistry = 'vies' | 'hmrc'

/**
 * Returns `vies` if an EU reverse charge depends on the tax ID, and `hmrc` for a British buyer of a foreign seller.
 * Returns null for other sales.
 */
export function registryFor(sale: Omit<Sale, 'on'>): TaxIdRegistry | null {
  const { buyerCountry, sellerCountry, taxId } = sale
  if (needsCheck(sale)) return 'vies'
  const isAbroad = vatCountry(buyerCountry) === 'GB' && vatCountry(sellerCountry) !== 'GB'
  return isAbroad && taxId && isTaxIdOf(taxId, buyerCountry) ? 'hmrc' : null
}

export function taxIdInLiveMode(taxId: string | null, buyerCountry: string): TaxIdValidity {
  if (!taxId) return 'none'
  return isTaxIdOf(taxId, buyerCountry) ? 'accepted' : 'not_accepted'
}

export const taxIdExampleInLiveMode = (taxId: string | null, buyerCountry: string): string | null =>
  taxIdExample(taxId && canonicalTaxId(taxId), vatCountry(buyerCountry), taxIdPrefix(buyerCountry))
