import type { TaxRate } from './rates.ts'
import type { TaxFacts } from './tax-facts.ts'

/** What both modes decide on a sale, and what they decide it by. */

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

/** Whether a tax ID has the form of the buyer's country. No registry is asked. */
export type TaxIdValidity = 'none' | 'accepted' | 'not_accepted'

/**
 * The effect of a tax ID on a sale: none was given (`none`); the buyer accounts for the tax (`reverse_charge`); it is
 * accepted, but the buyer is in the seller's country, so tax applies (`domestic`); or it is not confirmed, so tax
 * applies (`not_confirmed`).
 */
export type TaxIdEffect = 'none' | 'reverse_charge' | 'domestic' | 'not_confirmed'
